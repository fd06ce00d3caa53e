import { type Answer, type ExternalSystem } from './external-system';

/** What a browser gets to see of one thing. */
export interface ThingPage {
  status: number;
  headers: Readonly<Record<string, string>>;
  html: string;
}

const TITLES: Readonly<Record<ExternalSystem['name'], string>> = {
  crm: 'Demo CRM',
  mail: 'Demo mail service',
  payment: 'Demo payment service',
};

/** Nothing is loaded, run, sent or framed: the page is text that invented people wrote. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}
p{opacity:.75}dl{display:grid;grid-template-columns:minmax(8rem,auto) 1fr;gap:.4rem 1.5rem}dt{opacity:.65}
dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}`;

/** One effect of a demo system, for people who follow a result's link; `answer` is what the API would say of it. */
export function thingPage(system: ExternalSystem['name'], id: string, answer: Answer): ThingPage {
  const members = answer.status === 200 ? membersOf(answer.body as object) : [];
  const rows = members.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(told(value))}</dd>`);
  const facts =
    rows.length > 0 ? `<dl>${rows.join('')}</dl>` : `<p>There is no ${escaped(id)} here, or no longer.</p>`;
  const title = `${escaped(id)} · ${TITLES[system]}`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style></head>
<body><p>${TITLES[system]}: a part of the demo sandbox. Everything here is fictitious.</p><h1>${escaped(id)}</h1>${facts}</body></html>`;
  return { status: answer.status, headers: HEADERS, html };
}

/** Name and value of each member; those of an inner object stand in its place. */
function membersOf(thing: object): [string, unknown][] {
  return Object.entries(thing).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? membersOf(value) : [[name, value] as [string, unknown]],
  );
}

function told(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
