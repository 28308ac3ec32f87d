// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Tag } from '../http/languages/reference.ts';
import { ModelStory } from '../http/languages/reference-states.ts';
import {
  compare,
  expected,
  languages,
  requestOf,
  type Send,
  type Step,
  step,
  story,
} from '../http/languages/stories.ts';
import { becomes, environmentOf, newTestLocation, type TestLocation } from '../support/database/database.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';
import { killsOf } from '../support/random-cases.ts';

// A service that is killed while languages are written, drafted, published, planned, removed and restored: each of these is made or not,
// and what languages show, fall back to and are found by follows from what is there. `RECTO_TEST_KILLS` asks for more kills.

const kills = killsOf(2);
const writers = 4;
/** The most answers between a start and a kill. */
const longestRound = 40;

const admin = { email: 'ada@example.com', password: 'correct horse' };
const leased = [process.execPath, join(import.meta.dir, '../support/processes/leased-service.ts')];
const toml = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(toml).join(', ')}]`
    : value instanceof Object
      ? `{ ${Object.entries(value)
          .map(([name, each]) => `${name} = ${toml(each)}`)
          .join(', ')} }`
      : JSON.stringify(value);
const definition = Object.entries(story)
  .map(([name, value]) => `${name} = ${toml(value)}`)
  .join('\n');

/** What is due at once, of a language that can be published. */
type Due = { readonly do: 'due'; readonly tag: Tag };
type Move = Exclude<Step, { do: 'pass' }> | Due;

/** Does a move in the model, and says what the service is to answer. */
function made(model: ModelStory, move: Move): number | undefined {
  if (move.do !== 'due') return expected(model, move);
  const outcome = model.schedule(move.tag, 0);
  if (outcome === 200) model.pass(0);
  return outcome;
}

/** In which ways a move can have been made: a time that has passed by the time that the service is asked is one to publish at once. */
const waysOf = (move: Move): readonly Move[] =>
  move.do === 'due' ? [move, { do: 'move', tag: move.tag, status: 'published' }] : [move];

/** A record, and what its writer knows of it. */
class Known {
  readonly group: number;
  readonly id: string;
  readonly moves: Move[] = [];
  /** What may have been made, in one of its ways or not at all. */
  pending: Move | undefined;
  /** That has been made. */
  isAcknowledged = false;

  constructor(group: number, id: string) {
    this.group = group;
    this.id = id;
  }

  model(...more: readonly Move[]): ModelStory {
    const model = new ModelStory('a');
    for (const move of [...this.moves, ...more]) made(model, move);
    return model;
  }
}

/** One service after another on one database. */
class Place implements AsyncDisposable {
  readonly #folder = new RectoFolder({ 'story.toml': definition });
  readonly #location: TestLocation;
  #process: RectoProcess | undefined;
  #url = '';
  #token = '';

  static open = async (): Promise<Place> => new Place(await newTestLocation());

  private constructor(location: TestLocation) {
    this.#location = location;
  }

  async start(): Promise<void> {
    const environment = {
      RECTO_SECRET: 'a secret that outlives every process',
      RECTO_ADMIN_EMAIL: admin.email,
      RECTO_ADMIN_PASSWORD: admin.password,
      RECTO_RATE_LIMIT: 'off',
      RECTO_LANGUAGES: languages.list,
      RECTO_LANGUAGE_FALLBACKS: JSON.stringify(languages.fallbacks),
      ...environmentOf(this.#location),
    };
    this.#process = this.#folder.spawn([], environment, leased);
    // A kill may leave a transaction open for a moment.
    this.#process.expectErrors(/"code":"database_busy"/);
    this.#url = await this.#process.url();
    this.#token = '';
    this.#token = (await this.send('POST /api/v1/auth/login', admin)).json.access_token;
  }

  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.ended();
  }

  /** Rejects where no answer comes. */
  readonly send: Send = async (line, body, isPublic = false) => {
    const [method = '', path = ''] = line.split(' ');
    const authorization = isPublic || this.#token === '' ? {} : { Authorization: `Bearer ${this.#token}` };
    const headers = { 'Content-Type': 'application/json', ...authorization };
    for (;;) {
      const answer = await fetch(`${this.#url}${path}`, {
        ...{ method, headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      // The database is busy, as after a kill that left a transaction open.
      if (answer.status !== 503) return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
    }
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.#folder[Symbol.dispose]();
    await this.#location[Symbol.asyncDispose]();
  }
}

const root = '/api/v1/admin/cms/stories';
const lineOf = (id: string, move: Move): readonly [string, unknown?] =>
  move.do === 'due'
    ? [`PUT ${root}/${id}?language=${move.tag}`, { scheduled_at: new Date(Date.now() + 100).toISOString() }]
    : requestOf(id, move);

/** Before all that `story` plans. */
const plannedLater = '2900';

/** What is due has been made. */
const settled = (send: Send, { id }: Known): Promise<void> =>
  becomes(async () => {
    const { items } = (await send(`GET ${root}/${id}/languages`)).json;
    return items.some(
      ({ scheduled_at }: { scheduled_at: string | null }) => (scheduled_at ?? plannedLater) < plannedLater,
    );
  }, false);

const versionsOf = async (send: Send, { id }: Known): Promise<number> =>
  (await send(`GET ${root}/${id}/revisions?page_size=1`)).json.total;

/** In which of some ways a record has gone on: all that is shown of it is as the model says then. */
async function wayMade(
  send: Send,
  record: Known,
  [way = [], ...others]: readonly (readonly Move[])[],
): Promise<readonly Move[]> {
  const compared = compare(send, record, record.model(...way)).then(() => way);
  return others.length === 0 ? compared : compared.catch(() => wayMade(send, record, others));
}

test('a kill leaves of each language all that an operation makes or nothing', async () => {
  await using place = await Place.open();
  await place.start();
  const records: Known[] = [];
  for (let group = 0; group < writers; group += 1)
    records.push(new Known(group, (await place.send(`POST ${root}`, { title: 'a', group })).json.id));
  // Long histories take long to compare with: a version is looked at once.
  const moves = fc
    .sample(step, (kills + 1) * (longestRound + writers))
    .flatMap((each): readonly Move[] => (each.do === 'pass' ? [] : [each]));
  let next = 0;
  let unknown = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    let left = 1 + Math.floor(Math.random() * longestRound);
    let isOver = false;
    const killed = Promise.withResolvers<void>();
    const write = async (record: Known): Promise<void> => {
      while (!isOver) {
        const drawn = moves[next++ % moves.length] as Move;
        const model = record.model();
        // A language that can be published is now and then.
        const isDue = drawn.do === 'schedule' && drawn.day !== null && drawn.day > 4;
        const mayBeDue = isDue && model.state[drawn.tag].status === 'draft' && model.own(drawn.tag, 'title');
        const move: Move = mayBeDue ? { do: 'due', tag: drawn.tag } : drawn;
        record.pending = move;
        record.isAcknowledged = false;
        const answer = await place.send(...lineOf(record.id, move)).catch(() => undefined);
        if (answer === undefined) return;
        expect([move, answer.status, answer.json]).toEqual([move, made(model, move) as number, answer.json]);
        record.isAcknowledged = true;
        left -= 1;
        if (left <= 0) killed.resolve();
        if (move.do === 'due') {
          const total = await settled(place.send, record).then(
            () => versionsOf(place.send, record),
            () => undefined,
          );
          if (total === undefined) return;
          const way = waysOf(move).find((each) => record.model(each).versions.length === total);
          expect([record.moves, way]).not.toEqual([record.moves, undefined]);
          record.moves.push(way as Move);
        } else record.moves.push(move);
        record.pending = undefined;
      }
    };
    const writing = Promise.all(records.map(write));
    await Promise.race([killed.promise, writing]);
    await Bun.sleep(Math.random() * 5);
    await place.kill();
    isOver = true;
    await writing;
    await place.start();
    for (const record of records) {
      await settled(place.send, record);
      const { pending, isAcknowledged } = record;
      if (pending !== undefined) unknown += 1;
      const ways = pending === undefined ? [] : waysOf(pending).map((way) => [way]);
      record.pending = undefined;
      record.moves.push(
        ...(await wayMade(place.send, record, isAcknowledged && ways.length > 0 ? ways : [...ways, []])),
      );
    }
  }
  // Kills meet writes.
  expect(unknown).toBeGreaterThan(0);
}, 36_000_000);
