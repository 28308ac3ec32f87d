// databases: postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { becomes, newTestLocation, onPostgres, type TestLocation } from '../support/database/database.ts';
import { admin, Machines } from '../support/processes/machines.ts';
import { fromSource } from '../support/processes/recto-process.ts';
import { type Answered, ask } from '../support/processes/worker-load.ts';
import { entryType, WriteLedger } from '../support/processes/write-ledger.ts';

// Two machines on one database, the clock of the first a minute ahead.

const minute = 60_000;
const longest = 600_000;
const [ahead, behind] = [0, 1];

const story = {
  singular: 'story',
  plural: 'stories',
  protocols: ['timestampable', 'lockable', { name: 'statusable', values: ['draft', 'live'], schedule: 'live' }],
  fields: [{ name: 'title', field_type: 'text' }],
  api: {
    list: { cache: true, filter: 'status = "live"' },
    get: { cache: true, filter: 'status = "live"' },
    create: { access: 'public' },
  },
};

type Headers = Readonly<Record<string, string>>;

describe.skipIf(!onPostgres)('machines whose clocks are a minute apart', () => {
  let place: TestLocation;
  let machines: Machines;
  let asAdmin: Headers;
  beforeAll(async () => {
    place = await newTestLocation();
    const [bun = '', ...program] = fromSource;
    machines = await Machines.start(2, place, {
      types: { 'entry.toml': entryType, 'story.json': JSON.stringify(story) },
      environment: { RECTO_TEST_CLOCK_AHEAD_MS: String(minute) },
      commands: [
        [bun, '--preload', join(import.meta.dir, '../support/processes/other-clock.ts'), ...program],
        fromSource,
      ],
    });
    asAdmin = await signIn(behind);
  }, longest);
  afterAll(async () => {
    await machines[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  const on = (machine: number, line: string, headers: Headers = {}, body?: object): Promise<Answered> =>
    ask(machines.at(machine).url, line, headers, body);
  const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });

  async function signIn(machine: number): Promise<Headers> {
    return bearer((await on(machine, 'POST /api/v1/auth/login', {}, admin)).json.access_token);
  }

  test('have the clocks that this is about', async () => {
    const times: number[] = [];
    for (const machine of [ahead, behind]) {
      const { json } = await on(machine, 'POST /api/v1/cms/stories', {}, { title: 'when' });
      const stored = await on(behind, `GET /api/v1/admin/cms/stories/${json.id}`, asAdmin);
      times.push(Date.parse(stored.json.created_at));
    }
    const [first = 0, second = 0] = times;
    expect(first - second).toBeWithin(minute / 2, minute + 1);
  });

  test("know each other's tokens, and recognise one that is used twice", async () => {
    for (const [here, there] of [
      [ahead, behind],
      [behind, ahead],
    ] as const) {
      const { json: entered } = await on(here, 'POST /api/v1/auth/login', {}, admin);
      const me = (token: string) => on(there, 'GET /api/v1/auth/me', bearer(token));
      expect((await me(entered.access_token)).status).toBe(200);
      const used = { refresh_token: entered.refresh_token };
      const { json: renewed, status } = await on(there, 'POST /api/v1/auth/refresh', {}, used);
      expect([status, (await me(renewed.access_token)).status]).toEqual([200, 200]);
      const again = await on(here, 'POST /api/v1/auth/refresh', {}, used);
      expect([again.status, again.json.code]).toEqual([401, 'refresh_token_reused']);
      await becomes(async () => (await me(renewed.access_token)).status, 401);
    }
  });

  test('end a token at its time, each by its own clock', async () => {
    const robot = { name: 'robot', role: 'admin', expires_at: new Date(Date.now() + minute / 2).toISOString() };
    const { json } = await on(behind, 'POST /api/v1/admin/api-tokens', asAdmin, robot);
    const status = async (machine: number) => (await on(machine, 'GET /api/v1/admin/users', bearer(json.token))).status;
    expect([await status(behind), await status(ahead)]).toEqual([200, 401]);
  });

  test('do a request with a key once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const headers = { ...asAdmin, 'Idempotency-Key': `"${crypto.randomUUID()}"` };
      const send = (machine: number) => on(machine, 'POST /api/v1/admin/cms/entries', headers, { title: 'keyed' });
      // At the same moment, and again by the other one.
      const answers = [...(await Promise.all([send(round), send(round + 1)])), await send(ahead), await send(behind)];
      expect(new Set(answers.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(201);
    }
    expect((await on(behind, 'GET /api/v1/cms/entries?title=keyed')).json.total).toBe(10);
  });

  test(
    'do what is scheduled once, when the first of them finds it due',
    async () => {
      const made: string[] = [];
      let late = 0;
      // Long enough for twenty to be made before; on a machine that is too slow for that, longer.
      for (let inMs = 6_000; made.length < 20; inMs *= 4) {
        const due = new Date(Date.now() + minute + inMs).toISOString();
        for (let index = 0, isLate = false; made.length < 20 && !isLate; index += 1) {
          const draft = { title: `${index}`, scheduled_at: due };
          const { status, json } = await on(index, 'POST /api/v1/admin/cms/stories', asAdmin, draft);
          expect(status).toBe(201);
          // What is due already is live at once.
          isLate = json.status !== 'draft';
          if (isLate) late += 1;
          else made.push(json.id);
        }
      }
      const live = (machine: number) => async () =>
        (await on(machine, 'GET /api/v1/cms/stories?page_size=100')).json.total;
      await becomes(live(behind), made.length + late);
      await becomes(live(ahead), made.length + late);
      for (const id of made) {
        const { json } = await on(behind, `GET /api/v1/admin/cms/stories/${id}`, asAdmin);
        expect([json.status, json.scheduled_at, json.lock_version]).toEqual(['live', null, 2]);
      }
    },
    longest,
  );

  test('list the same records in the same order, each once, however they are paged', async () => {
    const made: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const { json } = await on(index, 'POST /api/v1/cms/stories', {}, { title: 'paged' });
      made.push(json.id);
    }
    const paged = async (machine: number): Promise<readonly string[]> => {
      const ids: string[] = [];
      for (let cursor = ''; ; ) {
        const list = `GET /api/v1/admin/cms/stories?title=paged&sort=created_at:desc&page_size=5${cursor}`;
        // The next page is another machine's.
        const { json } = await on(machine + ids.length, list, asAdmin);
        ids.push(...json.items.map(({ id }: { readonly id: string }) => id));
        if (json.next_cursor === null || json.next_cursor === undefined) return ids;
        cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`;
      }
    };
    const [first, second] = [await paged(ahead), await paged(behind)];
    expect(second).toEqual(first);
    expect(first.toSorted()).toEqual(made.toSorted());
  });

  test(
    'lose and double no write, and return nothing stale',
    async () => {
      const ledger = new WriteLedger(machines, 'clocks apart');
      await ledger.during(() => Bun.sleep(1_000));
      expect(ledger.uncertain).toEqual([]);
      await ledger.check();
    },
    longest,
  );
});
