import { type Page, type Request, type Route } from '@playwright/test';

/** A server action's request that has left the page and not reached the server yet. */
interface HeldRequest {
  request: Request;
  route: Route;
}

/** Holds the next server action that a page sends, so that a test decides when, and whether, it arrives. */
export async function holdNextAction(page: Page): Promise<{ held: Promise<HeldRequest> }> {
  const { promise: held, resolve } = withResolvers<HeldRequest>();
  let taken = false;
  await page.route('**/*', async (route, request) => {
    const isAction = request.method() === 'POST' && request.headers()['next-action'] !== undefined;
    if (taken || !isAction) return route.fallback();
    taken = true;
    resolve({ request, route });
  });
  return { held };
}

// Promise.withResolvers, which Node 20 lacks.
function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
