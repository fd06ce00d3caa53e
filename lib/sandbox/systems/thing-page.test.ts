import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemUrl } from '../settings';
import { SystemsUnderTest } from './systems-under-test';

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';
const message = {
  account: 'north-desk',
  to: 'hana@example.test',
  subject: '<script>alert(1)</script>',
  text: 'Thank you.',
  headers: { 'X-Reference': 'key-2' },
};

let systems: SystemsUnderTest;
beforeEach(async () => {
  systems = new SystemsUnderTest();
  await systems.start();
});
afterEach(() => systems.stop());

const visit = async (address: string, init: RequestInit = { headers: { accept: BROWSER } }) => {
  const response = await fetch(systemUrl(systems.settings, 'mail') + address, init);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

async function sent(): Promise<string> {
  const { body } = await systems.call('mail', 'POST', '/messages', { body: message });
  return body.id ?? '';
}

describe('the page of one thing', () => {
  it('shows a browser what a result’s link leads to, marked as fictitious, its text never as markup', async () => {
    const id = await sent();
    const page = await visit(`/messages/${id}`);
    expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
    expect(page.text).toContain(id);
    expect(page.text).toContain('Everything here is fictitious');
    expect(page.text).toContain('hana@example.test');
    expect(page.text).not.toContain('<script>');
    expect(page.text).not.toContain(systems.settings.mail.secret);
  });

  it('says so when there is no such thing', async () => {
    const page = await visit('/messages/MSG-NEVERSENT1');
    expect(page).toMatchObject({ status: 404, type: 'text/html; charset=utf-8' });
    expect(page.text).toContain('There is no MSG-NEVERSENT1 here');
  });

  it('opens nothing else: lists, changes, JSON and wrong keys stay closed', async () => {
    const id = await sent();
    const closed = await Promise.all([
      visit('/messages?header=X-Reference&value=key-2'),
      visit('/_faults'),
      visit('/messages/%zz'),
      visit(`/messages/${id}`, { headers: { accept: 'application/json' } }),
      visit(`/messages/${id}`, { headers: { accept: BROWSER, authorization: 'Bearer wrong' } }),
      visit('/messages', { method: 'POST', headers: { accept: BROWSER }, body: JSON.stringify(message) }),
    ]);
    expect(closed.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
    expect(systems.log().filter(({ operation }) => operation === 'read-message')).toEqual([]);
  });
});
