import '../unit/runes.fixture.ts';
import { afterAll, afterEach, beforeAll, expect, spyOn, test } from 'bun:test';
import type { guardedFetch as GuardedFetch } from './guarded-fetch.ts';
import type { stepUp as StepUp } from './step-up.svelte.ts';

const { guardedFetch }: { readonly guardedFetch: typeof GuardedFetch } = await import('./guarded-fetch.ts');
const { stepUp }: { readonly stepUp: typeof StepUp } = await import('./step-up.svelte.ts');

let isProven = false;
/** What has arrived, with its body. */
const arrived: string[] = [];
/** The service, in the place of the network. */
const service = Object.assign(
  async (request: Request | string | URL): Promise<Response> => {
    if (!(request instanceof Request)) throw new TypeError('Not a request of the admin.');
    arrived.push(`${request.method} ${await request.text()}`);
    if (isProven) return Response.json({ done: true });
    const problem = { code: 'step_up_required', detail: 'Prove it.', methods: ['totp', 'carrier_pigeon'] };
    return Response.json(problem, { status: 403 });
  },
  { preconnect: () => undefined },
);
let network: { mockRestore(): void } | undefined;
beforeAll(() => {
  network = spyOn(globalThis, 'fetch').mockImplementation(service);
});
afterAll(() => network?.mockRestore());
afterEach(() => {
  isProven = false;
  arrived.length = 0;
});

const send = guardedFetch({ onsetup: () => undefined, onfactor: () => undefined });
const post = (body: string, signal?: AbortSignal) =>
  send(
    new Request('http://recto.test/api/v1/x', { method: 'POST', body, ...(signal === undefined ? {} : { signal }) }),
  );
/** Resolves once somebody is asked. */
async function asked(count = 1): Promise<void> {
  while (stepUp.methods === undefined || arrived.length < count) await new Promise((resolve) => setImmediate(resolve));
  // Whoever has their answer by now waits for the same one.
  await new Promise((resolve) => setImmediate(resolve));
}

test('what needs a proof is asked for once, and each request is sent once more', async () => {
  const both = [post('a'), post('b')];
  await asked(2);
  expect(stepUp.methods).toEqual(['totp']);
  isProven = true;
  stepUp.answer(true);
  expect(stepUp.methods).toBeUndefined();
  for (const response of await Promise.all(both)) expect(await response.json()).toEqual({ done: true });
  expect(arrived.toSorted()).toEqual(['POST a', 'POST a', 'POST b', 'POST b']);
});

test('whoever says no gets the refusal, with what that means', async () => {
  const response = post('a');
  await asked();
  stepUp.answer(false);
  const { status } = await response;
  const { code, detail } = await (await response).json();
  expect([status, code]).toEqual([403, 'step_up_required']);
  expect(detail).toStartWith('Nothing was changed');
  expect(arrived).toEqual(['POST a']);
});

test('a request that was proven too late for its time is sent all the same, and one that was given up is not', async () => {
  for (const [reason, isSent] of [
    [new DOMException('late', 'TimeoutError'), true],
    [new DOMException('left', 'AbortError'), false],
  ] as const) {
    const ending = new AbortController();
    isProven = false;
    arrived.length = 0;
    const response = post('a', ending.signal).then(
      () => true,
      () => false,
    );
    await asked();
    ending.abort(reason);
    isProven = true;
    stepUp.answer(true);
    expect(await response).toBe(isSent);
  }
});

test('a request without a body is sent once more too, and one with a file is not', async () => {
  const url = 'http://recto.test/api/v1/x';
  for (const method of ['DELETE', 'POST']) {
    isProven = false;
    arrived.length = 0;
    const response = send(new Request(url, { method }));
    await asked();
    isProven = true;
    stepUp.answer(true);
    expect((await response).status).toBe(200);
    expect(arrived).toEqual([`${method} `, `${method} `]);
  }
  isProven = false;
  arrived.length = 0;
  const body = new Blob(['file'], { type: 'image/png' });
  expect((await send(new Request(url, { method: 'POST', body }))).status).toBe(403);
  expect(arrived).toEqual(['POST file']);
});
