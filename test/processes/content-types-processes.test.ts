import { describe, expect, test } from 'bun:test';
import { RectoFolder } from '../support/processes/recto-process.ts';

const admin = { RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: 'correct horse' };
const root = '/api/v1/admin/content-types';

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, and a wrong path fails the test.
  readonly json: any;
}

/** A service at an address, asked as its admin. */
class Peer {
  readonly #url: string;
  #token = '';

  constructor(url: string) {
    this.#url = url;
  }

  async signIn(): Promise<void> {
    const body = { email: admin.RECTO_ADMIN_EMAIL, password: admin.RECTO_ADMIN_PASSWORD };
    this.#token = (await this.send('POST', '/api/v1/auth/login', body)).json.access_token;
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers: Record<string, string> = { 'Content-Type': 'application/json' };
    if (this.#token !== '') headers.Authorization = `Bearer ${this.#token}`;
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.#url}${path}`, init);
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  }
}

/** Two services on one database. */
async function pair(folder: RectoFolder): Promise<[Peer, Peer]> {
  const first = new Peer(await folder.spawn(['start'], admin).url());
  const second = new Peer(await folder.spawn(['start'], admin).url());
  await Promise.all([first.signIn(), second.signIn()]);
  return [first, second];
}

const versioned = (version: number) => ({
  singular: 'probe',
  plural: 'probes',
  fields: [
    { name: 'title', field_type: 'text' },
    // Texts are searched, so that each version has another search index.
    { name: `v${version}`, field_type: 'text', default: `of version ${version}` },
  ],
  api: { list: { cache: true } },
});

describe('two processes on one database', () => {
  test('a change made in one is there with the next request to the other', async () => {
    using folder = new RectoFolder();
    const peers = await pair(folder);
    const stale: string[] = [];
    const [first] = peers;
    expect((await first.send('POST', root, versioned(0))).status).toBe(201);
    expect((await first.send('POST', '/api/v1/cms/probes', { title: 'x' })).status).toBe(201);
    for (let round = 1; round <= 8; round++) {
      const [writer = first, reader = first] = round % 2 === 0 ? peers : peers.toReversed();
      // Remembered by the reader's cache.
      await reader.send('GET', '/api/v1/cms/probes');
      expect((await writer.send('PUT', `${root}/probe`, versioned(round))).status).toBe(200);
      const { json } = await reader.send('GET', '/api/v1/cms/probes');
      if (json.items[0][`v${round}`] !== `of version ${round}`) stale.push(`round ${round}: ${JSON.stringify(json)}`);
      const singular = `type${round}`;
      const made = await writer.send('POST', root, { singular, plural: `${singular}s` });
      expect(made.status).toBe(201);
      if ((await reader.send('POST', `/api/v1/cms/${singular}s`, {})).status !== 201) stale.push(singular);
      const document = await reader.send('GET', '/api/v1/openapi.json');
      if (document.json.paths[`/api/v1/cms/${singular}s`] === undefined) stale.push(`${singular} in the document`);
      expect((await writer.send('DELETE', `${root}/${singular}`)).status).toBe(204);
      if ((await reader.send('GET', `/api/v1/cms/${singular}s`)).status !== 404) stale.push(`${singular} is gone`);
    }
    expect(stale).toEqual([]);
  }, 600_000);

  test('under load, no request that was sent after a change sees what was before, and none fails', async () => {
    using folder = new RectoFolder();
    const peers = await pair(folder);
    const [writer, reader] = peers;
    await writer.send('POST', root, versioned(0));
    await writer.send('POST', '/api/v1/cms/probes', { title: 'x' });
    let known = 0;
    let running = true;
    const faults: string[] = [];
    const ask = async (peer: Peer): Promise<void> => {
      while (running) {
        const least = known;
        const { status, json } = await peer.send('GET', '/api/v1/cms/probes');
        const name = Object.keys(json?.items?.[0] ?? {}).find((key) => /^v\d+$/.test(key));
        const version = Number(name?.slice(1));
        if (status !== 200 || !(version >= least)) faults.push(`${status} ${name} after v${least}`);
      }
    };
    const write = async (peer: Peer): Promise<void> => {
      while (running) {
        const { status, json } = await peer.send('POST', '/api/v1/cms/probes', { title: 'y' });
        if (status !== 201 && json.code !== 'definition_changed') faults.push(`a write was answered ${status}`);
      }
    };
    const load = [ask(reader), ask(reader), ask(reader), ask(writer), write(reader)];
    for (let version = 1; version <= 10; version++) {
      const { status, json } = await writer.send('PUT', `${root}/probe`, versioned(version));
      expect([status, json]).toMatchObject([200, {}]);
      known = version;
    }
    running = false;
    await Promise.all(load);
    expect(faults).toEqual([]);
  }, 600_000);

  test('one changes what is inside a field while the other writes it: every value is as the last definition has it', async () => {
    using folder = new RectoFolder();
    const [writer, reader] = await pair(folder);
    const added = (version: number) => ({
      name: `v${version}`,
      field_type: 'text',
      default: `of ${version}`,
      private: true,
    });
    const nested = (version: number) => ({
      ...{ singular: 'sheet', plural: 'sheets' },
      fields: [
        {
          ...{ name: 'rows', field_type: 'list' },
          fields: [{ name: 'text', field_type: 'text' }, ...Array.from({ length: version }, (_, at) => added(at + 1))],
        },
      ],
    });
    expect((await writer.send('POST', root, nested(0))).status).toBe(201);
    const faults: string[] = [];
    let running = true;
    const write = async (peer: Peer): Promise<void> => {
      while (running) {
        const { status, json } = await peer.send('POST', '/api/v1/cms/sheets', {
          rows: [{ text: 'a' }, { text: 'b' }],
        });
        if (status !== 201 && json.code !== 'definition_changed') faults.push(`a write was answered ${status}`);
        const shown = JSON.stringify((await peer.send('GET', '/api/v1/cms/sheets?page_size=5')).json);
        if (shown.includes('of ')) faults.push(`what is private was shown: ${shown.slice(0, 200)}`);
      }
    };
    const load = [write(reader), write(reader), write(writer)];
    for (let version = 1; version <= 6; version++) {
      expect((await writer.send('PUT', `${root}/sheet`, nested(version))).status).toBe(200);
    }
    running = false;
    await Promise.all(load);
    expect(faults).toEqual([]);
    const whole = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`v${at + 1}`, `of ${at + 1}`]));
    for (const peer of [writer, reader]) {
      const { items } = (await peer.send('GET', '/api/v1/admin/cms/sheets?page_size=100')).json;
      expect(items.length).toBeGreaterThan(0);
      for (const { rows } of items)
        expect(rows).toEqual([
          { text: 'a', ...whole },
          { text: 'b', ...whole },
        ]);
    }
  }, 600_000);

  test('both change types at once: all changes of different types hold, one of several of the same', async () => {
    using folder = new RectoFolder();
    const [first, second] = await pair(folder);
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, at) => {
        const peer = at % 2 === 0 ? first : second;
        const own = peer.send('POST', root, { singular: `own${at}`, plural: `own${at}s` });
        const shared = peer.send('POST', root, { singular: `shared${at >> 1}`, plural: `shared${at >> 1}s` });
        return Promise.all([own, shared]);
      }),
    );
    expect(all.map(([own]) => own.status)).toEqual(Array(10).fill(201));
    expect(all.filter(([, shared]) => shared.status === 201)).toHaveLength(5);
    expect(all.filter(([, shared]) => shared.status === 422)).toHaveLength(5);
    for (const peer of [first, second]) {
      expect((await peer.send('GET', `${root}?source=api`)).json.total).toBe(15);
      expect((await peer.send('GET', '/api/v1/readyz')).status).toBe(200);
    }
  }, 600_000);

  test('definitions that one of them cannot serve: it goes on with those before, and says so', async () => {
    using folder = new RectoFolder();
    const first = new Peer(await folder.spawn(['start'], admin).url());
    await first.signIn();
    // A later deployment has a file that the first process does not know of.
    folder.write('later/topic.toml', 'singular = "topic"\nplural = "topics"\n');
    const later = folder.spawn(['start'], { ...admin, RECTO_CONTENT_TYPES_DIR: 'later' });
    later.expectErrors(/the changed content types cannot be served/);
    const second = new Peer(await later.url());
    expect((await first.send('POST', root, { singular: 'topic', plural: 'subjects' })).status).toBe(201);
    expect((await second.send('GET', '/api/v1/cms/topics')).status).toBe(200);
    expect((await second.send('GET', '/api/v1/readyz')).status).toBe(503);
    const { json } = await second.send('GET', '/api/v1/health');
    expect([json.checks.definitions.status, json.checks.database.status]).toEqual(['failing', 'ok']);
    await later.err(/the changed content types cannot be served/);
    await first.send('DELETE', `${root}/topic`);
    expect((await second.send('GET', '/api/v1/readyz')).status).toBe(200);
  }, 600_000);
});
