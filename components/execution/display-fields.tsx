import { VisibleText } from '../text/visible-text';
import { FactList } from '../ui/fact-list';

/** What was asked, as far as the policy keeps it in clear: names and values exactly as kept. */
export function DisplayFields({
  fields,
  absent,
}: {
  fields: Readonly<Record<string, unknown>>;
  absent: string;
}) {
  return (
    <FactList
      absent={absent}
      facts={Object.entries(fields).map(([pointer, value]) => ({
        term: pointer.replace(/^\//, ''),
        value:
          value === null ? null : (
            <VisibleText text={typeof value === 'string' ? value : JSON.stringify(value)} />
          ),
      }))}
    />
  );
}
