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
    await known(places, 'silent', 'silence');
    expect(await fill(places, 'silent')).toBe(1);
    await known(places, 'good', 'answered');
    expect(await fill(places, 'good')).toBe(4);
  });

  it('R-057j all silent systems together leave most places to the others, and so do those never heard from', async () => {
    const places = new ConnectorPlaces();
    await known(places, 'good', 'answered');
    const names = Array.from({ length: 30 }, (_, index) => `dead-${index}`);
    for (const name of names) await known(places, name, 'silence');
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
    await known(places, 'back', 'silence');
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
    await known(places, 'dead', 'silence');
    expect(await fill(places, 'dead')).toBe(1);
    expect(places.waitFor('dead')).toBe(5_000);
    await fill(places, 'dead');
    await fill(places, 'dead');
    expect(places.waitFor('dead')).toBe(15_000);
    for (let more = 0; more < 40; more += 1) await fill(places, 'dead');
    expect(places.waitFor('dead')).toBe(60_000);
  });
});
