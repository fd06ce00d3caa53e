import { z } from 'zod';
import { encode, isOneSegment } from './address-part';
import { asText } from './compare-content';
import { jsonPlace, readPlace } from './json-place';

const parameter = z.string().regex(/^[A-Za-z0-9_.[\]-]{1,100}$/);
/** Requests for one list. */
const pages = z.number().int().min(2).max(20).default(5);

/** How a list goes on. A list that was not read to its end proves nothing (R-058). */
export const pagingSchema = z.discriminatedUnion('by', [
  /** The answer holds the next address, whole or relative; absent, null or empty at the end. */
  z.strictObject({ by: z.literal('next'), at: jsonPlace, pages }),
  /** The `Link` header does, with `rel="next"` (RFC 8288). */
  z.strictObject({ by: z.literal('link'), pages }),
  /** The answer holds a mark for a parameter; absent, null or empty at the end. */
  z.strictObject({ by: z.literal('cursor'), at: jsonPlace, parameter, pages }),
  /** The last thing of a page is the mark; `moreAt` says when the list ends. */
  z.strictObject({ by: z.literal('last'), at: jsonPlace, parameter, pages }),
  /** Pages are numbered (step 1), or skipped by offset (step: the page's size); an empty page is behind the end. */
  z.strictObject({
    by: z.literal('number'),
    parameter,
    first: z.number().int().min(0).max(1_000),
    step: z.number().int().min(1).max(1_000).default(1),
    pages,
  }),
]);
export type Paging = z.infer<typeof pagingSchema>;

/** What of a page says where the next one is. */
export interface PageSeen {
  body: unknown;
  items: readonly unknown[];
  link: string | null;
  /** `moreAt` of the answer; null when the recipe has none or the answer does not hold it. */
  more: boolean | null;
}

/** The address of the next page; `END` when this was the last; `LOST` when the list goes on and nobody can follow. */
export type NextPage = { url: string } | 'END' | 'LOST';

/** @param asked the addresses asked so far, the first one first */
export function nextPage(paging: Paging, base: string, asked: readonly string[], page: PageSeen): NextPage {
  if (page.more === false) return 'END';
  const next = following(paging, asked, page);
  if (next === null) return page.more === true ? 'LOST' : 'END';
  const url = next === 'LOST' ? null : addressBelow(next, base, asked.at(-1) ?? base);
  return url === null || asked.includes(url) ? 'LOST' : { url };
}

function following(paging: Paging, asked: readonly string[], page: PageSeen): string | 'LOST' | null {
  const first = asked[0] ?? '';
  switch (paging.by) {
    case 'next':
      return textOrNone(readPlace(page.body, paging.at));
    case 'link':
      return page.link === null ? null : nextOfLink(page.link);
    case 'cursor': {
      const mark = textOrNone(readPlace(page.body, paging.at));
      return mark === null || mark === 'LOST' ? mark : withParameter(first, paging.parameter, mark);
    }
    case 'last': {
      if (page.items.length === 0) return null;
      const mark = textOrNone(readPlace(page.items.at(-1), paging.at));
      return mark === null || mark === 'LOST' ? 'LOST' : withParameter(first, paging.parameter, mark);
    }
    case 'number':
      return page.items.length === 0
        ? null
        : withParameter(first, paging.parameter, String(paging.first + paging.step * asked.length));
    default: {
      const impossible: never = paging;
      throw new Error(`bug: unknown paging ${String(impossible)}`);
    }
  }
}

/** Null where there is none; what is there and no text cannot be followed. */
function textOrNone(value: unknown): string | 'LOST' | null {
  if (value === undefined || value === null || value === '' || value === false) return null;
  return asText(value) ?? 'LOST';
}

/** The rest of the query stays as it was sent: some systems read a re-encoded one differently. */
function withParameter(address: string, name: string, value: string): string {
  const [path = '', query = ''] = address.split('?');
  const others = query.split('&').filter((each) => each !== '' && !each.startsWith(`${encode(name)}=`));
  return `${path}?${[...others, `${encode(name)}=${encode(value)}`].join('&')}`;
}

/** Characters of an address that is followed. */
const LONGEST_ADDRESS = 4_000;

/** The address, resolved, when it stays under the recipe's origin and base path, whoever decodes it; else null. */
function addressBelow(text: string, base: string, from: string): string | null {
  if (text.length > LONGEST_ADDRESS || /[\p{Cc}\p{Cs}\\\s]/u.test(text) || !URL.canParse(text, from))
    return null;
  const url = new URL(text, from);
  const home = new URL(base);
  const prefix = home.pathname.endsWith('/') ? home.pathname : `${home.pathname}/`;
  const isHome =
    url.origin === home.origin &&
    url.username === '' &&
    url.password === '' &&
    url.pathname.startsWith(prefix);
  // An address is decoded once by whoever reads it; a percent sign that comes out of that would be decoded again.
  if (!isHome || /%25/.test(url.pathname)) return null;
  if (!url.pathname.slice(prefix.length).split('/').every(isOneSegment)) return null;
  url.hash = '';
  return url.href;
}

/** Characters of a header that is read. */
const LONGEST_LINK = 8_000;

/** The target of `rel="next"` in a `Link` header; null when there is none, `LOST` when the header cannot be read. */
function nextOfLink(header: string): string | 'LOST' | null {
  if (header.length > LONGEST_LINK) return 'LOST';
  let rest = header.trim();
  while (rest !== '') {
    const target = /^<([^<>\s]*)>/.exec(rest);
    if (target === null) return 'LOST';
    rest = rest.slice(target[0].length);
    let isNext = false;
    for (;;) {
      const attribute = /^\s{0,20};\s{0,20}([a-z*-]{1,40})\s{0,20}=\s{0,20}(?:"([^"\\]*)"|([^\s",;]+))/i.exec(
        rest,
      );
      if (attribute === null) break;
      rest = rest.slice(attribute[0].length);
      const names = (attribute[2] ?? attribute[3] ?? '').toLowerCase().split(' ');
      if (attribute[1]?.toLowerCase() === 'rel' && names.includes('next')) isNext = true;
    }
    if (isNext) return target[1] ?? 'LOST';
    rest = rest.trimStart();
    if (rest !== '' && !rest.startsWith(',')) return 'LOST';
    rest = rest.slice(1).trimStart();
  }
  return null;
}
