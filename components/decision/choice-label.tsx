/** The question above a group of choices; the group itself carries the same words for screen readers. */
export function ChoiceLabel({ text }: { text: string }) {
  return (
    <p aria-hidden className="-mb-1.5 text-sm font-medium">
      {text}
    </p>
  );
}
