import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemsUnderTest } from './systems-under-test';

const record = { externalReference: 'key-1', account: 'north', name: 'Hana Kim' };
const search = '/records?external_reference=key-1';

let systems: SystemsUnderTest;
beforeEach(async () => {
  systems = new SystemsUnderTest();
  await systems.start();
});
afterEach(() => systems.stop());

const create = (fault: string, signal?: AbortSignal) =>
  systems.call('crm', 'POST', '/records', { body: record, headers: { 'x-sandbox-fault': fault }, signal });
const records = async () => (await systems.call('crm', 'GET', search)).body.items ?? [];
const logged = () => systems.log().filter((event) => event.operation === 'create-record');

describe('faults', () => {
  it('drop-after-commit makes the effect and loses the answer', async () => {
    await expect(create('drop-after-commit')).rejects.toThrow('fetch failed');
    const [found] = await records();
    expect(logged()).toMatchObject([
      { system: 'crm', reference: 'key-1', fault: 'drop-after-commit', effectId: found?.id, status: null },
    ]);
  });

  it('error-before leaves no effect, error-after leaves one', async () => {
    expect((await create('error-before')).status).toBe(500);
    expect(await records()).toHaveLength(0);
    expect((await create('error-after')).status).toBe(500);
    expect(await records()).toHaveLength(1);
    expect(logged().map((event) => event.effectId === null)).toEqual([true, false]);
  });

  it.each([
    ['hang', 1],
    ['hang-before', 0],
  ])('%s answers nothing and leaves %i effects', async (fault, effects) => {
    const caller = new AbortController();
    const waiting = create(fault, caller.signal);
    await expect.poll(() => logged().length).toBe(1);
    expect(await records()).toHaveLength(effects);
    caller.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });

  it('late-arrival makes the effect only when its time has come, once', async () => {
    await expect(create('late-arrival;seconds=20')).rejects.toThrow('fetch failed');
    expect(await records()).toHaveLength(0);
    systems.advance(19);
    expect(await records()).toHaveLength(0);
    systems.advance(1);
    expect(await records()).toHaveLength(1);
    expect(await records()).toHaveLength(1);
    expect(systems.log().filter((event) => event.event === 'late-arrival')).toMatchObject([
      { reference: 'key-1' },
    ]);
  });

  it('a late arrival can be hidden as well, from its making on', async () => {
    await expect(create('late-arrival;seconds=20, visibility-delay;seconds=5')).rejects.toThrow(
      'fetch failed',
    );
    systems.advance(24);
    expect(await records()).toHaveLength(0);
    systems.advance(1);
    expect(await records()).toHaveLength(1);
  });

  it('a late arrival survives a restart and still arrives once', async () => {
    await expect(create('late-arrival;seconds=20')).rejects.toThrow('fetch failed');
    await systems.stop();
    systems.advance(20);
    await systems.start();
    expect(await records()).toHaveLength(1);
    await systems.stop();
    await systems.start();
    expect(await records()).toHaveLength(1);
  });

  it('visibility-delay hides an effect from the search, not from its own address', async () => {
    const made = await create('visibility-delay;seconds=30');
    expect(await records()).toEqual([]);
    expect((await systems.call('crm', 'GET', `/records/${made.body.id}`)).status).toBe(200);
    systems.advance(30);
    expect(await records()).toHaveLength(1);
  });

  it('duplicate leaves two effects, the second entered by hand', async () => {
    await create('duplicate');
    expect((await records()).map((row) => row.enteredByHand)).toEqual([false, true]);
  });

  it('delay answers later', async () => {
    const before = Date.now();
    expect((await create('delay;seconds=0.05')).status).toBe(201);
    expect(Date.now() - before).toBeGreaterThanOrEqual(45);
  });

  it('is refused when it is not known', async () => {
    expect(await create('earthquake')).toMatchObject({ status: 400, body: { error: 'unknown_fault' } });
    expect(await records()).toHaveLength(0);
  });
});

describe('faults by control', () => {
  it('a posted fault hits the next matching call only', async () => {
    const rule = {
      match: { operation: 'create-record', reference: 'key-1' },
      fault: { kind: 'error-after' },
      times: 1,
    };
    expect((await systems.call('crm', 'POST', '/_faults', { body: rule })).status).toBe(201);
    const post = () => systems.call('crm', 'POST', '/records', { body: record });
    expect((await post()).status).toBe(500);
    expect((await post()).status).toBe(201);
  });

  it('a fault by rate is on from the start and can be switched off', async () => {
    await systems.stop();
    await systems.start({ crm: [{ match: {}, fault: { kind: 'error-before', seconds: 0 }, rate: 0.5 }] });
    expect((await systems.call('crm', 'GET', search)).status).toBe(500);
    await systems.call('crm', 'DELETE', '/_faults');
    expect((await systems.call('crm', 'GET', search)).status).toBe(200);
  });
});
