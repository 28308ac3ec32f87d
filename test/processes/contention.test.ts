// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { newTestLocation, onPostgres, type TestLocation } from '../support/database/database.ts';
import { admin, Machines } from '../support/processes/machines.ts';
import { type Answered, ask } from '../support/processes/worker-load.ts';
import { randomCases } from '../support/random-cases.ts';

// Many who want the same at the same moment, of two processes on one database: on PostgreSQL two machines, on SQLite two
// workers. Which of them gets it is chance; that nothing is lost, doubled or crooked afterwards is not.

const longest = 600_000;

const open = { create: { access: 'public' }, update: { access: 'public' } };
const types = {
  'thing.json': JSON.stringify({
    singular: 'thing',
    plural: 'things',
    protocols: ['lockable'],
    fields: [
      { name: 'code', field_type: 'text', unique: true },
      { name: 'owner', field_type: 'text' },
    ],
    api: open,
  }),
  'section.json': JSON.stringify({
    singular: 'section',
    plural: 'sections',
    protocols: ['nestable'],
    fields: [{ name: 'title', field_type: 'text' }],
    api: open,
  }),
};

const environment = { RECTO_COMMENTS_AUTO_APPROVE: 'members' };

type Headers = Readonly<Record<string, string>>;

let place: TestLocation;
let machines: Machines;
let asAdmin: Headers;
beforeAll(async () => {
  place = await newTestLocation();
  machines = onPostgres
    ? await Machines.start(2, place, { types, environment })
    : await Machines.start(1, place, { types, environment: { ...environment, RECTO_WORKERS: '2' } });
  const { json } = await ask(machines.at(0).url, 'POST /api/v1/auth/login', {}, admin);
  asAdmin = { Authorization: `Bearer ${json.access_token}` };
}, longest);
afterAll(async () => {
  await machines[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

let sent = 0;

/** Sends a request to one process after the other; one that is too busy says so, has changed nothing, and is asked again. */
async function send(line: string, body?: object, headers: Headers = asAdmin): Promise<Answered> {
  for (;;) {
    const answered = await ask(machines.at(sent++).url, line, headers, body);
    if (answered.status !== 503) return answered;
    expect(answered.json.code).not.toBe('outcome_unknown');
    await Bun.sleep(50);
  }
}

const which = fc.nat({ max: 4 });
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const), code: fc.constantFrom('a', 'b') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), which: fc.nat({ max: 1 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), which, below: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('section' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('comment' as const), content: fc.constantFrom('yes', 'no') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refresh' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What the steps of one run are about. */
interface World {
  readonly name: string;
  readonly things: readonly string[];
  readonly sections: string[];
  readonly post: string;
  readonly refreshToken: string;
}

async function newWorld(): Promise<World> {
  const name = crypto.randomUUID();
  const idOf = async (line: string, body: object): Promise<string> => (await send(line, body)).json.id;
  const post = { title: name, slug: name, content: 'x', status: 'Published' };
  expect((await send('POST /api/v1/posts', post)).status).toBe(201);
  const sections: string[] = [];
  for (let index = 0; index < 5; index += 1) sections.push(await idOf('POST /api/v1/cms/sections', { title: name }));
  const { json } = await send('POST /api/v1/auth/login', admin, {});
  return {
    name,
    things: [await idOf('POST /api/v1/cms/things', {}), await idOf('POST /api/v1/cms/things', {})],
    sections,
    post: name,
    refreshToken: json.refresh_token,
  };
}

async function take(world: World, each: Step): Promise<Answered> {
  const { things, sections } = world;
  switch (each.do) {
    case 'take':
      return send('POST /api/v1/cms/things', { code: `${world.name} ${each.code}` });
    case 'edit': {
      const path = `/api/v1/cms/things/${things[each.which]}`;
      const { json } = await send(`GET ${path}`);
      return send(`PUT ${path}`, { owner: crypto.randomUUID(), lock_version: json.lock_version });
    }
    case 'move':
      return send(`PUT /api/v1/cms/sections/${sections[each.which]}`, { parent_id: sections[each.below] });
    case 'section': {
      const made = await send('POST /api/v1/cms/sections', { title: world.name });
      sections.push(made.json.id);
      return made;
    }
    case 'comment':
      return send(`POST /api/v1/posts/${world.post}/comments/authed`, { content: each.content });
    case 'refresh':
      return send('POST /api/v1/auth/refresh', { refresh_token: world.refreshToken }, {});
  }
}

/** What each step may be answered with: what it asked for, or that another one was first. */
const outcomes: Readonly<Record<Step['do'], readonly string[]>> = {
  take: ['201', '422 validation_failed'],
  edit: ['200', '409 lock_version_mismatch'],
  move: ['200', '422 validation_failed'],
  section: ['201'],
  comment: ['201', '409 duplicate'],
  refresh: ['200', '401 refresh_token_reused'],
};

async function check(world: World, steps: readonly Step[], answers: readonly Answered[]): Promise<void> {
  const done = (wanted: (each: Step) => boolean): number =>
    answers.filter(({ status }, index) => status < 300 && steps.some((each, at) => at === index && wanted(each)))
      .length;
  const asked = (wanted: (each: Step) => boolean): number => Math.min(1, steps.filter(wanted).length);
  for (const [index, each] of steps.entries()) {
    const { status, json } = answers[index] ?? { status: 0, json: {} };
    expect(outcomes[each.do]).toContain(status < 300 ? `${status}` : `${status} ${json.code}`);
  }
  for (const code of ['a', 'b']) {
    const isIt = (each: Step): boolean => each.do === 'take' && each.code === code;
    const { json } = await send(`GET /api/v1/cms/things?code=${encodeURIComponent(`${world.name} ${code}`)}`);
    expect([done(isIt), json.total]).toEqual([asked(isIt), asked(isIt)]);
  }
  for (const [place, id] of world.things.entries()) {
    const { json } = await send(`GET /api/v1/cms/things/${id}`);
    expect(json.lock_version).toBe(1 + done((each) => each.do === 'edit' && each.which === place));
  }
  const isRefresh = ({ do: what }: Step): boolean => what === 'refresh';
  expect(done(isRefresh)).toBe(asked(isRefresh));
  const { json: threads } = await send(`GET /api/v1/posts/${world.post}/comments`);
  expect(threads.total).toBe(done(({ do: what }) => what === 'comment'));
  for (const content of ['yes', 'no']) {
    const isIt = (each: Step): boolean => each.do === 'comment' && each.content === content;
    expect(done(isIt)).toBe(asked(isIt));
  }
  await checkTree(world);
}

/** No circle, every depth as it is, and a place of its own for each. */
async function checkTree({ name, sections }: World): Promise<void> {
  const { json } = await send(`GET /api/v1/cms/sections?title=${name}&page_size=100`);
  interface Section {
    readonly id: string;
    readonly parent_id: string | null;
    readonly depth: number;
    readonly position: number;
  }
  const all: readonly Section[] = json.items;
  expect(all.map(({ id }) => id).toSorted()).toEqual(sections.toSorted());
  expect(new Set(all.map(({ position }) => position)).size).toBe(all.length);
  const byId = new Map(all.map((each) => [each.id, each]));
  for (const each of all) {
    let above = 0;
    for (let at = each; at.parent_id !== null; above += 1) {
      expect(above).toBeLessThan(all.length);
      at = byId.get(at.parent_id) ?? { ...each, parent_id: null };
    }
    expect(each.depth).toBe(above);
  }
}

test(
  'of simultaneous requests each is done completely or answered with an error, and what is stored fits together',
  async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const world = await newWorld();
        await check(world, taken, await Promise.all(taken.map((each) => take(world, each))));
      }),
      { numRuns: randomCases(10), endOnFailure: true },
    );
  },
  longest,
);
