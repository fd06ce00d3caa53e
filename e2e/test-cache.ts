import { rawRequest, type RawAnswer, type RawRequest } from './raw-request';

/** A shared cache in front of the product, as obedient as they are: it keeps what the answer allows, by address and `Vary`. */
export class TestCache {
  private readonly kept: { path: string; vary: Record<string, unknown>; answer: RawAnswer }[] = [];

  constructor(private readonly origin: string) {}

  async get(request: RawRequest): Promise<RawAnswer & { fromCache: boolean }> {
    const headers = request.headers ?? {};
    const hit = this.kept.find(
      ({ path, vary }) =>
        path === request.path && Object.entries(vary).every(([name, value]) => headers[name] === value),
    );
    if (hit) return { ...hit.answer, fromCache: true };
    const answer = await rawRequest(this.origin, request);
    if (mayKeep(answer)) {
      const names = String(answer.headers.vary ?? '')
        .split(',')
        .map((name) => name.trim().toLowerCase());
      const vary = Object.fromEntries(names.filter(Boolean).map((name) => [name, headers[name]]));
      this.kept.push({ path: request.path, vary, answer });
    }
    return { ...answer, fromCache: false };
  }
}

/** Greedy where the answer says nothing: then a cache may guess. */
function mayKeep({ status, headers }: RawAnswer): boolean {
  const control = String(headers['cache-control'] ?? '');
  if (/no-store|private|no-cache/.test(control) || headers.vary === '*') return false;
  return [200, 203, 204, 301, 308, 404, 410].includes(status) || /s-maxage|max-age|public/.test(control);
}
