// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  becomes,
  environmentOf,
  newTestLocation,
  onPostgres,
  type TestLocation,
} from '../support/database/database.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';

// Started services with `after` hooks that die, and several at once.

const note = `singular = "note"\nplural = "notes"\nfields = [{ name = "title", field_type = "text" }]
[api]\ncreate = { access = "public" }\nlist = { access = "public" }\n`;

/** Appends the key of each change and the process to a file. A change whose title names a wait takes so long. */
const hook = `import { appendFileSync } from 'node:fs';
import { hooks } from 'recto';
const say = (...words) => appendFileSync(new URL('../said', import.meta.url), words.join(' ') + '\\n');
export default hooks('note', { async after({ event, db }) {
  const { title } = await db.notes.get(event.record);
  if (title.startsWith('wait')) { say('begins', event.key, process.pid); await Bun.sleep(Number(title.slice(5))); }
  say('ran', event.key, event.record, process.pid);
} });\n`;

class Place implements AsyncDisposable {
  readonly folder = new RectoFolder({ 'note.toml': note });
  readonly #location: TestLocation;

  static open = async (): Promise<Place> => new Place(await newTestLocation());

  private constructor(location: TestLocation) {
    this.#location = location;
    this.folder.write('hooks/note.ts', hook);
    this.folder.write('said', '');
  }

  start(command?: readonly string[], environment: Readonly<Record<string, string>> = {}): RectoProcess {
    const all = {
      RECTO_SECRET: 'a secret that all of them share, and long',
      RECTO_RATE_LIMIT: 'off',
      ...environmentOf(this.#location),
      ...environment,
    };
    return this.folder.spawn(command === undefined ? ['start'] : [], all, command);
  }

  said(word: string): readonly string[] {
    const lines = readFileSync(join(this.folder.path, 'said'), 'utf8').split('\n');
    return lines.filter((line) => line.startsWith(`${word} `));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.folder[Symbol.dispose]();
    await this.#location[Symbol.asyncDispose]();
  }
}

async function create(url: string, title: string): Promise<string> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ title }) };
  const answer = await fetch(`${url}/api/v1/cms/notes`, init);
  expect(answer.status).toBe(201);
  return Object(await answer.json()).id;
}

const leased = [process.execPath, join(import.meta.dir, '../support/processes/leased-service.ts')];
const urlOf = async (started: RectoProcess): Promise<string> => (await started.out(/http:\S+/))[0];

test('a change whose hook did not run, or not to its end, before a kill -9 is not lost: it runs under the same key', async () => {
  await using place = await Place.open();
  const first = place.start(leased);
  const url = await urlOf(first);
  const slow = await create(url, 'wait 600000');
  await becomes(async () => place.said('begins').length, 1);
  const behind = await create(url, 'behind');
  first.kill('SIGKILL');
  await first.ended();

  // From here on, it takes no time.
  place.folder.write('hooks/note.ts', hook.replace('Number(title.slice(5))', '1'));
  const second = place.start(leased);
  await urlOf(second);
  await becomes(async () => place.said('ran').length, 2);
  const records = place.said('ran').map((line) => line.split(' ')[2]);
  expect(records).toEqual([slow, behind]);
  const keys = place.said('begins').map((line) => line.split(' ')[1]);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  second.kill('SIGTERM');
  await second.ended();
});

test('several workers, or several machines, run a hook once for each change, in order', async () => {
  await using place = await Place.open();
  const started = onPostgres ? [place.start(), place.start()] : [place.start(undefined, { RECTO_WORKERS: '3' })];
  const urls = await Promise.all(started.map((one) => one.url()));
  const ids: string[] = [];
  for (let number = 0; number < 60; number += 1)
    ids.push(await create(urls[number % urls.length] ?? '', `n ${number}`));
  await becomes(async () => place.said('ran').length, ids.length);
  expect(place.said('ran').map((line) => line.split(' ')[2])).toEqual(ids);
  for (const one of started) one.kill('SIGTERM');
  await Promise.all(started.map((one) => one.ended()));
  expect(place.said('ran')).toHaveLength(ids.length);
});
