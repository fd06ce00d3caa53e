import { visibleText } from '@/lib/domain/visible-text';
import { VisibleText } from './visible-text';

interface KeyTextProps {
  /** A key or id of a machine, exactly as stored. */
  value: string;
  /** Cut in the middle where the column ends, both ends staying visible; the whole is in the title. */
  cut?: boolean;
  className?: string;
}

/** Characters at the end that tell alike keys apart. */
const TAIL = 10;

/** A key, request id or result id: monospaced, nothing invisible, never broken into a wrong reading. */
export function KeyText({ value, cut = false, className }: KeyTextProps) {
  const look = `font-mono text-[0.94em] ${className ?? ''}`;
  const characters = Array.from(value);
  if (!cut || characters.length <= TAIL * 2) {
    return (
      <code className={`${look} [overflow-wrap:anywhere]`}>
        <VisibleText text={value} />
      </code>
    );
  }
  return (
    <code className={`${look} inline-flex max-w-full min-w-0`} title={visibleText(value)}>
      <span className="min-w-0 truncate">
        <VisibleText text={characters.slice(0, -TAIL).join('')} className="whitespace-pre" />
      </span>
      <span className="shrink-0">
        <VisibleText text={characters.slice(-TAIL).join('')} className="whitespace-pre" />
      </span>
    </code>
  );
}
