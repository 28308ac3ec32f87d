// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { becomes, environmentOf, newTestLocation, type TestLocation } from '../support/database/database.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';
import { killsOf } from '../support/random-cases.ts';

// Releases and readers beside them, on several processes, and kills in the middle: everybody sees all of a release or nothing of it.
// `RECTO_TEST_KILLS` asks for more kills.

const kills = killsOf(2);
const size = 60;
/** Where each kill needs a release of its own. */
const fewer = 12;
const editions = 6;

const admin = { email: 'ada@example.com', password: 'correct horse' };
const leased = [process.execPath, join(import.meta.dir, '../support/processes/leased-service.ts')];
/** Ends itself once the database has answered so many statements. */
const killed = [process.execPath, join(import.meta.dir, '../support/processes/killed-service.ts')];
const note = `singular = "note"
plural = "notes"
protocols = ["versionable", { name = "statusable", values = ["draft", "published"], default = "draft" }]
fields = [{ name = "edition", field_type = "integer" }]
[api]
list = { access = "public", cache = true }
get = { access = "public" }
`;
const root = '/api/v1/admin/releases';

interface Note {
  readonly id: string;
  readonly edition: number;
}

/** Services on one database. */
class Place implements AsyncDisposable {
  readonly processes: RectoProcess[] = [];
  readonly #folder = new RectoFolder({ 'note.toml': note });
  readonly #location: TestLocation;
  readonly #command: readonly string[];
  #token = '';

  static open = async (command = leased): Promise<Place> => new Place(await newTestLocation(), command);

  private constructor(location: TestLocation, command: readonly string[]) {
    this.#location = location;
    this.#command = command;
  }

  /** The one that was started last. */
  get last(): RectoProcess {
    const found = this.processes.at(-1);
    if (found === undefined) throw new Error('None was started.');
    return found;
  }

  /**
   * Has a process kill itself so many turns of its event loop after that many more statements. Resolves with how many there were since it
   * was asked last.
   */
  async arm(process: RectoProcess, statements: number, turns: number): Promise<number> {
    this.#folder.write('kill-at', `${statements} ${turns}`);
    process.kill('SIGUSR2');
    const [, before] = await process.out(new RegExp(`armed ${statements} ${turns} after (\\d+)\n`));
    return Number(before);
  }

  /** Starts one more, and resolves with its address. */
  async start(): Promise<string> {
    const environment = {
      RECTO_SECRET: 'a secret that outlives every process',
      RECTO_ADMIN_EMAIL: admin.email,
      RECTO_ADMIN_PASSWORD: admin.password,
      RECTO_RATE_LIMIT: 'off',
      ...environmentOf(this.#location),
    };
    const process = this.#folder.spawn([], environment, this.#command);
    // A kill may leave a transaction open for a moment.
    process.expectErrors(/"code":"database_busy"/);
    this.processes.push(process);
    return process.url();
  }

  async signIn(url: string): Promise<void> {
    this.#token = (await this.send(url, 'POST /api/v1/auth/login', admin)).access_token;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  async send(url: string, line: string, body?: object): Promise<any> {
    const [method = '', path = ''] = line.split(' ');
    const authorization = this.#token === '' ? {} : { Authorization: `Bearer ${this.#token}` };
    const headers = { 'Content-Type': 'application/json', ...authorization };
    for (;;) {
      const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const text = await answer.text();
      // The database is busy, as after a kill that left a transaction open.
      if (answer.status === 503) continue;
      if (!answer.ok) throw new Error(`${line}: ${answer.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    }
  }

  /** The notes as everybody sees them. */
  async notes(url: string): Promise<readonly Note[]> {
    const answer = await fetch(`${url}/api/v1/cms/notes?page_size=100`);
    // The list of the type above.
    return ((await answer.json()) as { items: readonly Note[] }).items;
  }

  async makeNotes(url: string, count = size): Promise<readonly Note[]> {
    const one = () => this.send(url, 'POST /api/v1/admin/cms/notes', { edition: 0, status: 'published' });
    return Promise.all(Array.from({ length: count }, one));
  }

  /** A release that gives every note another edition. */
  async release(url: string, notes: readonly Note[], edition: number): Promise<string> {
    const { id } = await this.send(url, `POST ${root}`, { name: `Edition ${edition}` });
    const body = { action: 'publish', changes: { edition } };
    // Together, so that they share commits.
    await Promise.all(notes.map((one) => this.send(url, `PUT ${root}/${id}/items/note/${one.id}`, body)));
    return id;
  }

  /** Schedules a release for a moment that is near, and that has not passed when the service is asked. Resolves with the time. */
  async schedule(url: string, release: string): Promise<number> {
    for (let ahead = 1_000; ; ahead *= 2) {
      const at = Date.now() + ahead;
      const body = { scheduled_at: new Date(at).toISOString() };
      const made = await this.send(url, `POST ${root}/${release}/schedule`, body).catch(
        ({ message }: Error) => message,
      );
      if (typeof made !== 'string') return at;
      if (!made.includes('in_the_past')) throw new Error(made);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.processes) process.kill('SIGKILL');
    await Promise.all(this.processes.map((process) => process.ended()));
    this.#folder[Symbol.dispose]();
    await this.#location[Symbol.asyncDispose]();
  }
}

/** The editions of notes: one, where a release is seen as a whole. */
const editionsOf = (notes: readonly Note[]): number[] => [...new Set(notes.map(({ edition }) => edition))];

test('readers beside it, of every process, see all of a release or nothing', async () => {
  await using place = await Place.open();
  const first = await place.start();
  await place.signIn(first);
  const urls = [first, await place.start()];
  const notes = await place.makeNotes(first);
  const releases: string[] = [];
  // All of them hold the same fields: each is based on what the one before it makes of them.
  let isDone = false;
  const seen = urls.map(() => [] as string[]);
  const readers = urls.flatMap((url, place_) =>
    Array.from({ length: 3 }, async () => {
      while (!isDone) {
        const found = await place.notes(url);
        seen[place_]?.push(`${found.length} of ${editionsOf(found)}`);
      }
    }),
  );
  for (let edition = 1; edition <= editions; edition += 1) {
    const url = urls[edition % urls.length] ?? first;
    const release = await place.release(url, notes, edition);
    releases.push(release);
    expect(await place.send(url, `POST ${root}/${release}/publish`)).toMatchObject({ status: 'done' });
  }
  isDone = true;
  await Promise.all(readers);
  const whole = Array.from({ length: editions + 1 }, (_, edition) => `${size} of ${edition}`);
  for (const texts of seen) {
    expect([...new Set(texts)].filter((text) => !whole.includes(text))).toEqual([]);
    expect(texts.length).toBeGreaterThan(0);
  }
  for (const url of urls) await becomes(async () => editionsOf(await place.notes(url)), [editions]);
}, 3_600_000);

test('a scheduled release is published once by one of several processes', async () => {
  await using place = await Place.open();
  const first = await place.start();
  await place.signIn(first);
  const notes = await place.makeNotes(first);
  const release = await place.release(first, notes, 1);
  await Promise.all([place.start(), place.start()]);
  await place.schedule(first, release);
  await becomes(async () => (await place.send(first, `GET ${root}/${release}`)).status, 'done');
  await becomes(async () => editionsOf(await place.notes(first)), [1]);
  const events = await place.send(first, 'GET /api/v1/admin/events?after=0&limit=1000');
  const made = events.items.filter((event: { release: string | null }) => event.release === release);
  expect(made.length).toBe(size);
  const own = events.items.filter(
    ({ type, action }: Record<string, string>) => type === 'recto:release' && action === 'publish',
  );
  expect(own.length).toBe(1);
}, 3_600_000);

// The kills go through the statements of publishing, from the first to the reply.
test('a kill while a release is published leaves all of it or nothing, and it can be published again', async () => {
  await using place = await Place.open(killed);
  const start = async () => {
    const url = await place.start();
    return { url, process: place.last };
  };
  // One is ready when the other is killed: what starting costs is paid meanwhile.
  let [current, spare] = [await start(), start()];
  await place.signIn(current.url);
  const notes = await place.makeNotes(current.url, fewer);
  // How many statements it takes, so that kills meet each of them.
  const measured = await place.release(current.url, notes, 1);
  await place.arm(current.process, 1_000_000, 0);
  await place.send(current.url, `POST ${root}/${measured}/publish`);
  const statements = await place.arm(current.process, 2_000_000, 0);
  expect(statements).toBeGreaterThan(fewer);
  const outcomes = { nothing: 0, all: 0 };
  let edition = 1;
  for (let kill = 0; kill < kills; kill += 1) {
    const release = await place.release(current.url, notes, edition + 1);
    // Spread over all of it; by the last ones, it is published and the answer on its way.
    const at = 1 + (Math.floor(((kill + 0.5) * statements * 1.05) / kills) % Math.ceil(statements * 1.05));
    await place.arm(current.process, at, kill % 4);
    const isAcknowledged = await place.send(current.url, `POST ${root}/${release}/publish`).then(
      () => true,
      () => false,
    );
    if (isAcknowledged) current.process.kill('SIGKILL');
    await current.process.ended();
    let next = await spare;
    if (kill % 4 === 3) {
      // Nobody else has the database open: the next one finds it as the kill has left it.
      next.process.kill('SIGKILL');
      await next.process.ended();
      next = await start();
    }
    [current, spare] = [next, start()];
    const { url } = current;
    // A database server may still be about to commit what it was sent.
    const before = editionsOf(await place.notes(url));
    const { status } = await place.send(url, `GET ${root}/${release}`);
    const after = editionsOf(await place.notes(url));
    const [old, made] = [[edition], [edition + 1]];
    expect([old, made]).toContainEqual(before);
    expect([old, made]).toContainEqual(after);
    if (isAcknowledged) expect([before, status]).toEqual([made, 'done']);
    if (Bun.deepEquals(before, made)) expect(status).toBe('done');
    if (status === 'done') expect(after).toEqual(made);
    outcomes[status === 'done' ? 'all' : 'nothing'] += 1;
    const again = await place.send(url, `POST ${root}/${release}/publish`).catch(({ message }: Error) => message);
    expect(typeof again === 'string' ? again : again.status).toMatch(/^done$|release_published/);
    edition += 1;
    expect(editionsOf(await place.notes(url))).toEqual([edition]);
  }
  await spare;
  // Kills before the commit and behind it.
  if (kills >= 50) expect(Math.min(outcomes.all, outcomes.nothing)).toBeGreaterThan(0);
  // Each was published once.
  const [{ id }] = notes as [Note];
  const { items } = await place.send(current.url, `GET /api/v1/admin/cms/notes/${id}/revisions?page_size=100`);
  expect(items.length).toBe(Math.min(edition + 1, 100));
}, 36_000_000);

test('a kill while a scheduled release is published is followed by another process, which publishes all of it', async () => {
  await using place = await Place.open();
  const first = await place.start();
  await place.signIn(first);
  const notes = await place.makeNotes(first);
  const release = await place.release(first, notes, 1);
  const at = await place.schedule(first, release);
  await Bun.sleep(Math.max(0, at - Date.now()) + Math.random() * 200);
  place.processes.at(-1)?.kill('SIGKILL');
  await place.processes.at(-1)?.ended();
  const url = await place.start();
  await place.signIn(url);
  const seen = editionsOf(await place.notes(url));
  expect([[0], [1]]).toContainEqual(seen);
  await becomes(async () => (await place.send(url, `GET ${root}/${release}`)).status, 'done');
  await becomes(async () => editionsOf(await place.notes(url)), [1]);
}, 3_600_000);
