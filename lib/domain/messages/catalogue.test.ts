import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXCEPTION_KINDS, EXCEPTION_STATES, SEVERITIES } from '../exception-kinds';
import { INTAKE_DISPOSITIONS } from '../dispositions';
import { EXECUTION_STATES } from '../states';
import { CATALOGUE } from './catalogue';
import { LOCALES, negotiateLocale } from './locales';

type Tree = { readonly [key: string]: string | Tree };

/** Every message by its full name. */
function flatten(tree: Tree, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (typeof value === 'string') flat.set(name, value);
    else for (const [inner, text] of flatten(value, name)) flat.set(inner, text);
  }
  return flat;
}

/** What a message expects from its caller: `count:plural`, `name`, `<b>` …, in any order and depth. */
function placeholders(message: string): string[] {
  const found = new Set<string>();
  const walk = (elements: MessageFormatElement[]): void => {
    for (const element of elements) {
      switch (element.type) {
        case TYPE.argument:
        case TYPE.number:
        case TYPE.date:
        case TYPE.time:
          found.add(element.value);
          break;
        case TYPE.plural:
        case TYPE.select:
          found.add(element.value);
          for (const option of Object.values(element.options)) walk(option.value);
          break;
        case TYPE.tag:
          found.add(`<${element.value}>`);
          walk(element.children);
          break;
        default:
      }
    }
  };
  walk(parse(message));
  return [...found].sort();
}

const english = flatten(CATALOGUE.en);
const korean = flatten(CATALOGUE.ko);

describe('the message catalogues', () => {
  it('R-097a English and Korean have the same keys', () => {
    expect([...korean.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('R-097b each message takes the same placeholders in both languages', () => {
    const differing = [...english]
      .map(([key, message]) => ({ key, en: placeholders(message), ko: placeholders(korean.get(key) ?? '') }))
      .filter(({ en, ko }) => en.join() !== ko.join());
    expect(differing).toEqual([]);
  });

  it('R-097c no message is blank, and Korean is Korean where English has words', () => {
    for (const [key, message] of [...english, ...korean]) expect(message.trim(), key).not.toBe('');
    const untranslated = [...english].filter(([key, message]) => {
      const same = korean.get(key) === message;
      return same && /[a-z]{3}/.test(message.replace(/\{[^}]*\}|<[^>]*>/g, '')) && !SAME_IN_BOTH.has(key);
    });
    expect(untranslated.map(([key]) => key)).toEqual([]);
  });

  it('R-097c Korean never leaves the particle to its reader: 이(가), 을(를), (으)로', () => {
    const undecided = [...korean].filter(([, message]) =>
      /[가-힣]\([가-힣]\)|\([가-힣]\)[가-힣]/.test(message),
    );
    expect(undecided).toEqual([]);
  });

  it('R-097d every file of a language is part of its catalogue', () => {
    for (const locale of LOCALES) {
      const files = readdirSync(new URL(`./${locale}`, import.meta.url)).map((file) =>
        file.replace(/\.json$/, ''),
      );
      expect(files.sort()).toEqual(Object.keys(CATALOGUE[locale]).sort());
    }
  });

  it('R-097e every state, kind, severity and disposition of the domain has its words', () => {
    const { glossary } = CATALOGUE.en;
    expect(Object.keys(glossary.kind)).toEqual([...EXCEPTION_KINDS]);
    expect(Object.keys(glossary.state)).toEqual([...EXECUTION_STATES]);
    expect(Object.keys(glossary.severity)).toEqual(SEVERITIES.map(String));
    expect(Object.keys(glossary.disposition)).toEqual([...INTAKE_DISPOSITIONS]);
    expect(Object.keys(glossary.exceptionState)).toEqual([...EXCEPTION_STATES]);
  });

  it.each([
    [null, 'en'],
    ['', 'en'],
    ['ko-KR,ko;q=0.9,en;q=0.8', 'ko'],
    ['en-GB,en;q=0.9,ko;q=0.8', 'en'],
    ['fr-FR,fr;q=0.9,ko;q=0.4,en;q=0.3', 'ko'],
    ['ko;q=0,en;q=0.1', 'en'],
    ['en;q=0.3,ko;q=0.9', 'ko'],
    ['de', 'en'],
    ['*', 'en'],
    [`${'x,'.repeat(5_000)}ko`, 'en'],
  ])('R-097f the header %j chooses %s', (header, locale) => {
    expect(negotiateLocale(header)).toBe(locale);
  });
});

/** Names that are not translated. */
const SAME_IN_BOTH = new Set(['common.product', 'common.language.en']);
