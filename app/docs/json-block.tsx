/** JSON as it travels. Focusable, so that the keyboard can scroll it sideways. */
export function JsonBlock({ label, value }: { label: string; value: unknown }) {
  return (
    <pre
      role="region"
      aria-label={label}
      tabIndex={0}
      lang="en"
      className="overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs"
    >
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
