import { describe, expect, it } from 'vitest';
import { ConnectorPlaces } from './connector-places';

/** A question that stays open until the test answers it. */
function question() {
  let settle: (answer: 'answered' | 'silence') => void = () => undefined;
  const answer = new Promise<'answered' | 'silence'>((resolve) => (settle = resolve));
  return { work: () => answer, settle: (with_: 'answered' | 'silence') => settle(with_) };
}

const isSilence = (answer: string) => answer === 'silence';
const known = async (places: ConnectorPlaces, id: string, as: 'answered' | 'silence') =>
  places.use(id, () => Promise.resolve(as), isSilence);

async function fallSilent(places: ConnectorPlaces, id: string): Promise<void> {
  for (let unanswered = 0; unanswered < 3; unanswered += 1) await known(places, id, 'silence');
}

/** Takes places until one is refused; answers how many there were. */
async function fill(places: ConnectorPlaces, id: string, most = 40): Promise<number> {
  for (let taken = 0; taken < most; taken += 1) {
    const outcome = places.use(id, question().work, isSilence);
    if ((await Promise.race([outcome, Promise.resolve('under way')])) === null) return taken;
  }
  return most;
}

describe('the places of connectors', () => {
  it('R-057j a system that answers has four places, one that nobody heard from or that fell silent has one', async () => {
    const places = new ConnectorPlaces();
    expect(await fill(places, 'untried')).toBe(1);
    await fallSilent(places, 'silent');
    expect(await fill(places, 'silent')).toBe(1);
    await known(places, 'good', 'answered');
    expect(await fill(places, 'good')).toBe(4);
  });

  it('R-057j a system that does not answer now and then keeps its places', async () => {
    const places = new ConnectorPlaces();
    for (const answer of ['answered', 'silence', 'silence', 'answered', 'silence'] as const)
      await known(places, 'flaky', answer);
    expect(await fill(places, 'flaky')).toBe(4);
  });

  it('R-057j all silent systems together leave most places to the others, and so do those never heard from', async () => {
    const places = new ConnectorPlaces();
    await known(places, 'good', 'answered');
    const names = Array.from({ length: 30 }, (_, index) => `dead-${index}`);
    for (const name of names) await fallSilent(places, name);
    let held = 0;
    for (const name of names) held += await fill(places, name);
    expect(held).toBe(8);
    let untried = 0;
    for (const name of names) untried += await fill(places, `new-${name}`);
    expect(untried).toBe(16);
    expect(await fill(places, 'good')).toBe(4);
  });

  it('R-057j an answer gives a silent system its places back, and a fault of ours frees the place', async () => {
    const places = new ConnectorPlaces();
    await fallSilent(places, 'back');
    const probe = question();
    const probing = places.use('back', probe.work, isSilence);
    expect(await places.use('back', question().work, isSilence)).toBeNull();
    probe.settle('answered');
    await probing;
    await expect(places.use('back', () => Promise.reject(new Error('ours')), isSilence)).rejects.toThrow(
      'ours',
    );
    expect(await fill(places, 'back')).toBe(4);
  });

  it('R-057k the more are turned away from a hanging system, the longer they wait, up to a minute', async () => {
    const places = new ConnectorPlaces();
    await fallSilent(places, 'dead');
    expect(await fill(places, 'dead')).toBe(1);
    const waits = Array.from({ length: 30 }, () => Math.round(places.waitFor('dead') / 1_000));
    expect(waits.slice(0, 4)).toEqual([5, 10, 15, 20]);
    expect(waits.slice(12)).toEqual(Array.from({ length: 18 }, () => 60));
    await known(places, 'good', 'answered');
    expect(Array.from({ length: 20 }, () => places.waitFor('good')).at(-1)).toBeLessThan(1_000);
  });
});
