import { describe, expect, it } from 'vitest';
import { isOtherPage, leavesByLink } from './leaving';

const HERE = 'https://desk.example.com/admin/new-connector?from=empty';
const PRESS = { button: 0, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
const LINK = { href: 'https://desk.example.com/queue', target: '', download: '' };

describe('what takes somebody off a page', () => {
  it.each([
    ['a link of the product', PRESS, LINK, true],
    ['the same page with another start', PRESS, { ...LINK, href: HERE.replace('empty', 'copy') }, true],
    ['an address elsewhere', PRESS, { ...LINK, href: 'https://docs.example.com/' }, true],
    ['a link that names its own window', PRESS, { ...LINK, target: '_self' }, true],
    ['a part of this page', PRESS, { ...LINK, href: `${HERE}#reason` }, false],
    ['a new window', PRESS, { ...LINK, target: '_blank' }, false],
    ['a file', PRESS, { ...LINK, download: 'audit.csv' }, false],
    ['a mail', PRESS, { ...LINK, href: 'mailto:a@example.com' }, false],
    ['no address', PRESS, { ...LINK, href: 'https://' }, false],
    ['the middle button', { ...PRESS, button: 1 }, LINK, false],
    ['a press with Control', { ...PRESS, ctrlKey: true }, LINK, false],
    ['a press with the command key', { ...PRESS, metaKey: true }, LINK, false],
    ['a press with Shift', { ...PRESS, shiftKey: true }, LINK, false],
    ['a press with Alt', { ...PRESS, altKey: true }, LINK, false],
  ])('R-063w %s', (_what, press, link, leaves) => {
    expect(leavesByLink(press, link, HERE)).toBe(leaves);
  });

  it('R-063w another page is one with another path or query', () => {
    expect(isOtherPage('/admin/new-connector', HERE)).toBe(true);
    expect(isOtherPage('/admin/new-connector?from=empty#top', HERE)).toBe(false);
    expect(isOtherPage('https://desk.example.org/admin/new-connector?from=empty', HERE)).toBe(true);
  });
});
