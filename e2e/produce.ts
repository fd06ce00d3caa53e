import { demoTokens } from './producer';
import { type Place } from './product';
import { rawRequest } from './raw-request';

interface Produced {
  executionId: string;
  fencingToken: string;
}

/** A call of the north's automation to the producer API; what it refuses is an error of the scene. */
export async function produce(place: Place, path: string, body: object, key?: string): Promise<Produced> {
  const answer = await rawRequest(place.address, {
    method: 'POST',
    path: `/api/v1/${path}`,
    headers: {
      authorization: `Bearer ${demoTokens(place)['north-automation']}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  // What the contract promises with a status below 300.
  return JSON.parse(answer.body) as Produced;
}
