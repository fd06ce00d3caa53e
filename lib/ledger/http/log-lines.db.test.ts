import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
const written: string[] = [];
beforeAll(async () => {
  api = await producerApiUnderTest({
    log: pino({ level: 'trace' }, { write: (text: string) => written.push(text) }),
  });
});
afterAll(() => api.close());

const FORGED = '\r\n{"level":30,"msg":"forged"}\u001b[2J\u2028"\'%0a</script>';
const LONG = 'x'.repeat(64 * 1024);

describe('the log of the producer API', () => {
  it('AU-13 is one line an event, bounded, without anything that callers wrote', async () => {
    await api.claim('plain');
    await api.claim('forged-operation', { operation: `refund${FORGED}`, requestId: FORGED });
    await api.claim('long-operation', { operation: LONG, requestId: LONG });
    await api.claim('forged-payload', { payload: { [FORGED]: FORGED }, displayFields: FORGED });
    await api.send({ path: `/executions/${encodeURIComponent(FORGED)}` });
    await api.send({ path: `/${encodeURIComponent(FORGED)}/x` });
    await api.send({
      path: '/executions/x%0d%0aforged',
      headers: { 'user-agent': '%0a{"msg":"forged"}\u009b2J' },
    });
    await api.send({ path: '/executions', method: 'POST', body: FORGED, key: '%0d%0aforged' });
    const { executionId, fencingToken } = await api.started('reported');
    await api.report(executionId, 'fail', {
      fencingToken,
      code: 'REFUSED',
      message: FORGED + LONG.slice(0, 900),
    });
    expect(written.length).toBeGreaterThanOrEqual(10);
    for (const text of written) {
      expect(text).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+\n$/);
      expect(Buffer.byteLength(text)).toBeLessThan(1_000);
      expect(text).not.toMatch(/forged"|xxxx|script/);
      const { level, msg } = JSON.parse(text) as { level: number; msg: string };
      expect([level, msg]).toEqual([30, 'producer request']);
    }
  });
});
