import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROLES } from '../actor';
import { INTAKE_DISPOSITIONS } from '../dispositions';
import { CATALOGUE } from './catalogue';
import { LOCALES } from './locales';

const GLOSSARY = readFileSync(path.join(import.meta.dirname, '../../../GLOSSARY.md'), 'utf8');

/** The rows of the glossary's table, without the marks of code. */
const rows = GLOSSARY.split('\n')
  .filter((line) => /^\| (?!word \||---)/.test(line))
  .map((line) =>
    line
      .replaceAll('`', '')
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );

describe('the words that the help page explains', () => {
  it('R-097j are those of the glossary, in both languages and with its meaning', () => {
    const { en, ko } = CATALOGUE;
    const explained = Object.entries(en.words).map(([key, { term, means }]) => [
      term,
      ko.words[key as keyof typeof ko.words].term,
      means,
    ]);
    expect(explained).toEqual(rows);
  });

  it('R-097j every kind, state, disposition, verdict, protection and role says what it means', () => {
    for (const locale of LOCALES) {
      const { glossary } = CATALOGUE[locale];
      for (const { means } of [...Object.values(glossary.kind), ...Object.values(glossary.state)])
        expect(means).not.toBe('');
      expect(Object.keys(glossary.dispositionMeans)).toEqual([...INTAKE_DISPOSITIONS]);
      expect(Object.keys(glossary.protectionMeans)).toEqual(Object.keys(glossary.protection));
      expect(Object.keys(glossary.verdictMeans)).toEqual(Object.keys(glossary.verdict));
      expect(Object.keys(glossary.roleMeans)).toEqual([...ROLES]);
    }
  });
});
