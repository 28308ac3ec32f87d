// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { plant } from './planted.ts';
import { type Ask, asks } from './probing-requests.ts';
import { definitions, type Hidden, recordsOf, type World, world } from './secret-worlds.ts';

// "A value that a caller may not read never changes what they get": two databases that differ in nothing but such values
// give the same answers to the same requests, to the last byte. One of them answers from its cache and one has none, so
// that what one caller got is never sent to another either.

const worlds = randomCases(6);
const requestsAWorld = 200;

async function databaseOf(world: World, hidden: Hidden, cacheSeconds: number): Promise<TestService> {
  const service = await TestService.open(definitions, { cacheSeconds });
  const member = await service.account('mia');
  await service.account('max');
  await plant(service, recordsOf(world, hidden, member));
  return service;
}

const ofItsOwn = new Set(['x-request-id', 'cache-status']);

/** All of an answer that is the same for the same request, from a cache or not: its id is not. */
function visible({ status, headers, text: body }: Reply): object {
  const kept = Object.fromEntries([...headers].filter(([name]) => !ofItsOwn.has(name)));
  return { status, headers: kept, body: body.replace(/"request_id":"[^"]*"/, '') };
}

interface Seen {
  ok: number;
  items: number;
}

/** Sends the same to both; what the first answers is then asked for again by its entity tag. */
async function ask(left: TestService, right: TestService, { line, as, body }: Ask, counted: Seen): Promise<void> {
  const sent = { ...(as === undefined ? {} : { as }), ...(body === undefined ? {} : { body }) };
  const [a, b] = [await left.send(line, sent), await right.send(line, sent)];
  const who = as ?? 'anonymous';
  expect({ who, line, ...visible(a) }).toEqual({ who, line, ...visible(b) });
  expect({ line, failed: a.status >= 500 }).toEqual({ line, failed: false });
  if (a.status !== 200) return;
  counted.ok += 1;
  counted.items += a.json.items?.length > 0 ? 1 : 0;
  const etag = a.headers.get('etag');
  if (etag === null || body !== undefined) return;
  const again = await right.send(line, { ...sent, headers: { 'If-None-Match': etag } });
  expect({ line, status: again.status }).toEqual({ line, status: 304 });
}

/** The difference alone: the world and its requests, which the seed makes again, would fill pages. */
function reporter({ failed, seed, errorInstance }: { failed: boolean; seed: number; errorInstance?: unknown }): void {
  if (failed) throw new Error(`seed ${seed}: ${errorInstance}`);
}

test('values that a caller may not read never change what they get', async () => {
  const counted: Seen = { ok: 0, items: 0 };
  let different = 0;
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.array(asks, { minLength: requestsAWorld, maxLength: requestsAWorld, size: 'max' }),
      async (made, all) => {
        await using left = await databaseOf(made, made.left, 30);
        await using right = await databaseOf(made, made.right, 0);
        for (const each of all) await ask(left, right, each, counted);
        for (const service of [left, right]) await service.account('ada', 'admin');
        const everything = (service: TestService) => service.send('GET /api/v1/admin/cms/articles', { as: 'ada' });
        if ((await everything(left)).text !== (await everything(right)).text) different += 1;
      },
    ),
    { numRuns: worlds, endOnFailure: true, reporter },
  );
  // The test would prove nothing if it asked about equal databases, or if everything was rejected.
  expect(different).toBe(worlds);
  expect(counted.ok).toBeGreaterThan((worlds * requestsAWorld) / 4);
  expect(counted.items).toBeGreaterThan((worlds * requestsAWorld) / 20);
}, 600_000);
