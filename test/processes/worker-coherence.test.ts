// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { environmentOf, newTestLocation, type TestLocation } from '../support/database/database.ts';
import { letters } from '../support/processes/letters.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';
import { type Answered, askOn as ask, RawClient } from '../support/processes/worker-load.ts';

// What one worker has answered of a write, the next read of any worker must show: cached lists, included records, rights, content types.

const admin = { email: 'ada@example.com', password: 'correct horse' };
const password = 'battery staple';
const longest = 600_000;

let place: TestLocation;
let folder: RectoFolder;
let recto: RectoProcess;
let url: string;
beforeAll(async () => {
  place = await newTestLocation();
  folder = new RectoFolder(letters);
  recto = folder.spawn(['start'], {
    ...environmentOf(place),
    RECTO_WORKERS: '3',
    RECTO_RATE_LIMIT: 'off',
    RECTO_ADMIN_EMAIL: admin.email,
    RECTO_ADMIN_PASSWORD: admin.password,
  });
  url = await recto.url();
  await recto.err(/"msg":"started"/);
}, longest);
afterAll(async () => {
  recto.kill('SIGTERM');
  await recto.ended();
  folder[Symbol.dispose]();
  await place[Symbol.asyncDispose]();
});

type Headers = Readonly<Record<string, string>>;

/** A connection to each worker. */
async function everyWorker(): Promise<readonly RawClient[]> {
  const found = new Map<string, RawClient>();
  while (found.size < 3) {
    const client = new RawClient(url);
    const { worker } = await ask(client, 'GET /api/v1/healthz');
    if (found.has(worker)) client[Symbol.dispose]();
    else found.set(worker, client);
  }
  return [...found.values()];
}

test(
  'a write is seen by the next read of every worker, on connections in use and on new ones',
  async () => {
    const rounds = 80;
    let reads = 0;
    const actor = async (number: number): Promise<readonly string[]> => {
      const clients = await everyWorker();
      const at = (index: number): RawClient => clients[index % clients.length] ?? new RawClient(url);
      const { json: person } = await ask(at(number), 'POST /api/v1/cms/people', {}, { name: 'nobody yet' });
      const letter = { text: 'none yet', sender: person.id };
      const { json: sent } = await ask(at(number), 'POST /api/v1/cms/letters', {}, letter);
      const stale: string[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const [path, field] = round % 2 === 0 ? [`people/${person.id}`, 'name'] : [`letters/${sent.id}`, 'text'];
        const value = `${number} ${round}`;
        const written = await ask(at(round), `PUT /api/v1/cms/${path}`, {}, { [field]: value });
        expect(written.status).toBe(200);
        using fresh = new RawClient(url);
        const list = `GET /api/v1/cms/letters?sender=${person.id}&include=sender`;
        const seen = await Promise.all([...clients, fresh].map((client) => ask(client, list)));
        reads += seen.length;
        for (const { worker, json } of seen) {
          const [item] = json.items;
          const returned = field === 'name' ? item.sender.name : item.text;
          if (returned !== value) stale.push(`${worker} returned ${returned} for ${value}`);
        }
      }
      for (const client of clients) client[Symbol.dispose]();
      return stale;
    };
    const stale = await Promise.all(Array.from({ length: 8 }, (_, number) => actor(number)));
    expect(stale.flat()).toEqual([]);
    expect(reads).toBe(8 * rounds * 4);
  },
  longest,
);

test(
  'a right that is taken away or given is so for the next request, on every worker',
  async () => {
    const clients = await everyWorker();
    const [client = new RawClient(url)] = clients;
    const { json: signedIn } = await ask(client, 'POST /api/v1/auth/login', {}, admin);
    const asAdmin = { Authorization: `Bearer ${signedIn.access_token}` };
    const statuses = async (line: string, headers: Headers): Promise<readonly number[]> =>
      (await Promise.all(clients.map((each) => ask(each, line, headers)))).map(({ status }) => status);
    for (let round = 0; round < 12; round += 1) {
      const { json: made } = await ask(
        client,
        'POST /api/v1/auth/register',
        {},
        { email: `${round}@example.com`, password },
      );
      const asMember = { Authorization: `Bearer ${made.access_token}` };
      expect(await statuses('GET /api/v1/admin/users', asMember)).toEqual([403, 403, 403]);
      const user = `PUT /api/v1/admin/users/${made.user.id}`;
      await ask(clients[round % 3] ?? client, user, asAdmin, { role: 'admin' });
      expect(await statuses('GET /api/v1/admin/users', asMember)).toEqual([200, 200, 200]);
      await ask(clients[(round + 1) % 3] ?? client, user, asAdmin, { disabled: true });
      expect(await statuses('GET /api/v1/auth/me', asMember)).toEqual([401, 401, 401]);

      const { json: made2 } = await ask(client, 'POST /api/v1/admin/api-tokens', asAdmin, {
        name: 'robot',
        role: 'admin',
      });
      const asRobot = { Authorization: `Bearer ${made2.token}` };
      expect(await statuses('GET /api/v1/admin/users', asRobot)).toEqual([200, 200, 200]);
      await ask(clients[(round + 2) % 3] ?? client, `DELETE /api/v1/admin/api-tokens/${made2.id}`, asAdmin);
      expect(await statuses('GET /api/v1/admin/users', asRobot)).toEqual([401, 401, 401]);
    }
    for (const each of clients) each[Symbol.dispose]();
  },
  longest,
);

test(
  'a content type that is made, changed or deleted is so for the next request, on every worker',
  async () => {
    const clients = await everyWorker();
    const at = (index: number): RawClient => clients[index % clients.length] ?? new RawClient(url);
    const { json: signedIn } = await ask(at(0), 'POST /api/v1/auth/login', {}, admin);
    const asAdmin = { Authorization: `Bearer ${signedIn.access_token}` };
    const askEach = async (line: string, body?: object): Promise<readonly Answered[]> =>
      Promise.all(clients.map((client) => ask(client, line, {}, body)));
    const statuses = async (line: string) => (await askEach(line)).map(({ status }) => status);
    const definition = (...fields: readonly object[]) => ({
      singular: 'poem',
      plural: 'poems',
      fields,
      api: { list: { access: 'public', cache: true }, create: { access: 'public' } },
    });
    const title = { name: 'title', field_type: 'text' };
    for (let round = 0; round < 6; round += 1) {
      const poems = 'GET /api/v1/cms/poems';
      expect(await statuses(poems)).toEqual([404, 404, 404]);
      const made = await ask(at(round), 'POST /api/v1/admin/content-types', asAdmin, definition(title));
      expect(made.status).toBe(201);
      expect(await statuses(poems)).toEqual([200, 200, 200]);
      const line = { name: `line_${round}`, field_type: 'integer' };
      const changed = await ask(
        at(round + 1),
        'PUT /api/v1/admin/content-types/poem',
        asAdmin,
        definition(title, line),
      );
      expect(changed.status).toBe(200);
      const written = await askEach('POST /api/v1/cms/poems', { [line.name]: round });
      expect(written.map(({ status, json }) => [status, json[line.name]])).toEqual(Array(3).fill([201, round]));
      const gone = await ask(at(round + 2), 'DELETE /api/v1/admin/content-types/poem', asAdmin);
      expect(gone.status).toBe(204);
    }
    for (const each of clients) each[Symbol.dispose]();
  },
  longest,
);
