// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { environmentOf, newTestLocation } from '../support/database/database.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';
import { killsOf } from '../support/random-cases.ts';

// A service that is killed while it reads the log: each assignment that was acknowledged notifies once, and none twice.
// `RECTO_TEST_KILLS` asks for more kills.

const kills = killsOf(6);
/** How many assignments are asked for between two kills. */
const each = 30;
const leased = [process.execPath, join(import.meta.dir, '../support/processes/leased-service.ts')];
const admin = { email: 'ada@example.com', password: 'correct horse' };
const eve = { email: 'eve@example.com', password: 'correct horse' };
const story = `singular = "story"
plural = "stories"
protocols = ["assignable"]
fields = [{ name = "title", field_type = "text" }]
`;

test(`a service that is killed ${kills} times notifies of each assignment once`, async () => {
  await using location = await newTestLocation();
  using folder = new RectoFolder({ 'story.toml': story });
  const environment = {
    RECTO_SECRET: 'a secret that outlives every process',
    RECTO_ADMIN_EMAIL: admin.email,
    RECTO_ADMIN_PASSWORD: admin.password,
    RECTO_RATE_LIMIT: 'off',
    ...environmentOf(location),
  };
  folder.expectErrors(/"code":"database_busy"/);
  let service = folder.spawn([], environment, leased);
  let url = await service.url();
  const send = async (line: string, token: string, body?: object) => {
    const [method = '', path = ''] = line.split(' ');
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  };
  const signIn = async (who: object): Promise<string> => (await send('POST /auth/login', '', who)).json.access_token;
  let ada = await signIn(admin);
  const made = await send('POST /admin/users', ada, { ...eve, role: 'editor' });
  expect(made.status).toBe(201);
  // The reader begins at the end of the log: nothing is promised before.
  const first = await send('POST /admin/cms/stories', ada, { assignee: made.json.id });
  const list = async (query = '') =>
    (await send(`GET /auth/me/notifications?page_size=50${query}`, await signIn(eve))).json;
  while ((await list()).items.length === 0) {
    await send(`PUT /admin/cms/stories/${first.json.id}`, ada, { assignee: null });
    await send(`PUT /admin/cms/stories/${first.json.id}`, ada, { assignee: made.json.id });
  }
  const promised = new Set<string>();
  for (let round = 0; round < kills; round += 1) {
    let answered = 0;
    const enough = Promise.withResolvers<void>();
    const asked = Array.from({ length: each }, async () => {
      // A request that the kill has cut off has no answer, and nothing was promised.
      const answer = await send('POST /admin/cms/stories', ada, { assignee: made.json.id }).catch(() => undefined);
      if (answer?.status !== 201) return;
      promised.add(answer.json.id);
      answered += 1;
      if (answered > (round * 7) % each) enough.resolve();
    });
    await Promise.race([enough.promise, Promise.all(asked)]);
    service.kill('SIGKILL');
    await Promise.all(asked);
    await service.ended();
    service = folder.spawn([], environment, leased);
    url = await service.url();
    ada = await signIn(admin);
  }
  const all = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page = await list(next === '' ? '' : `&before=${next}`);
      found.push(...page.items.map(({ record }: { record: string }) => record));
      next = page.next;
    }
    return found;
  };
  let found = await all();
  while (![...promised].every((id) => found.includes(id))) found = await all();
  const others = found.filter((id) => id !== first.json.id);
  expect(promised.size).toBeGreaterThan(0);
  expect(others.length).toBe(new Set(others).size);
  service.kill('SIGTERM');
  await service.ended();
}, 900_000);
