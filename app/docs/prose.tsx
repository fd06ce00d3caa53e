/** Text of the API's document, in English whatever the page's language; what stands between backticks is code. */
export function Prose({ children, className }: { children: string; className?: string }) {
  return (
    <p lang="en" className={className}>
      {children.split('`').map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <code
            key={index}
            className="rounded-xs bg-sunken px-1 font-mono text-[0.92em] [overflow-wrap:anywhere]"
          >
            {part}
          </code>
        ),
      )}
    </p>
  );
}
