import { useTranslations } from 'next-intl';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { type Change } from '@/lib/domain/audit-body';
import { readAuditEvent } from '@/lib/domain/audit-told';
import { visibleText } from '@/lib/domain/visible-text';
import { VisibleText } from '../text/visible-text';
import { FactList } from '../ui/fact-list';
import { Panel } from '../ui/panel';
import { Meant, MemberValue } from './member-value';
import { useMemberWords } from './member-words';
import { Cell, HeadCell, Table } from '../ui/table';

interface BodyPanelsProps {
  event: AuditRecord;
  /** It is a decision, and nobody gave a reason. */
  noReason: boolean;
  /** People by their ids. */
  names: Readonly<Record<string, string>>;
  /** Events that recorded a look, by the look's id. */
  lookEvents?: ReadonlyMap<string, AuditRecord>;
  /** Members that the page tells elsewhere. */
  told?: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();

/** What the event's stored text says, part by part; parts that it does not have are absent. */
export function BodyPanels({ event, noReason, names, lookEvents, told = NOTHING }: BodyPanelsProps) {
  const t = useTranslations('audit.detail');
  const { nameOf, termOf } = useMemberWords();
  const { rationale, comment, changes, details } = readAuditEvent(event);
  const further = details.filter(({ name }) => !told.has(name));
  const approver = details.find(({ name }) => name === 'onBehalfOf')?.values[0];
  return (
    <>
      {rationale !== null && (
        <Written
          title={
            approver === undefined
              ? t('words')
              : t('wordsOf', { who: visibleText(names[approver] ?? approver) })
          }
          text={rationale}
        />
      )}
      {noReason && (
        <Panel title={t('words')}>
          <p className="text-sm text-ink-muted">{t('noReason')}</p>
        </Panel>
      )}
      {comment !== null && <Written title={t('comment')} text={comment} />}
      {changes.length > 0 && <Changes changes={changes} />}
      {further.length > 0 && (
        <Panel title={t('more')}>
          <FactList
            absent={t('absent')}
            facts={[
              ...further.map((detail) => ({
                term: nameOf(detail.name),
                meaning: termOf(detail.name),
                value: <MemberValue {...detail} {...{ names, lookEvents }} />,
                wide: detail.values.join(' · ').length > 40,
              })),
              ...(event.event === 'search.made'
                ? [{ term: t('lookedFor'), value: t('lookedForNotKept'), wide: true }]
                : []),
            ]}
          />
        </Panel>
      )}
    </>
  );
}

function Written({ title, text }: { title: string; text: string }) {
  return (
    <Panel title={title}>
      <p className="max-w-prose text-sm">
        <VisibleText text={text} paragraphs />
      </p>
    </Panel>
  );
}

/** What moved; of an event that moved nothing, such as a request, how things stood then. */
function Changes({ changes }: { changes: readonly Change[] }) {
  const t = useTranslations('audit.detail');
  const { nameOf, termOf } = useMemberWords();
  const moved = changes.some(({ after }) => after.length > 0);
  const valueOf = (name: string, values: readonly string[]) =>
    values.length === 0 ? '–' : <MemberValue name={name} values={values} />;
  return (
    <Panel title={moved ? t('change') : t('asItStood')}>
      <Table caption={moved ? t('changed') : t('asItStood')}>
        <thead>
          <tr>
            <HeadCell>{t('field')}</HeadCell>
            <HeadCell>{moved ? t('before') : t('value')}</HeadCell>
            {moved && <HeadCell>{t('after')}</HeadCell>}
          </tr>
        </thead>
        <tbody>
          {changes.map(({ name, before, after }) => (
            <tr key={name}>
              <Cell className="text-ink-muted">
                <Meant meaning={termOf(name)}>{nameOf(name)}</Meant>
              </Cell>
              <Cell>{valueOf(name, before)}</Cell>
              {moved && <Cell className="font-medium">{valueOf(name, after)}</Cell>}
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
