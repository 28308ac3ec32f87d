import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { RectoFolder } from '../support/processes/recto-process.ts';

// Started services, several on one database, move what is due, each record once.

const story = `
singular = "story"
plural = "stories"
protocols = ["lockable", { name = "statusable", schedule = "published" }]
`;
const admin = { email: 'ada@example.com', password: 'correct horse' };
const environment = { RECTO_ADMIN_EMAIL: admin.email, RECTO_ADMIN_PASSWORD: admin.password };

interface Stories {
  readonly items: readonly { readonly status: string; readonly lock_version: number; readonly scheduled_at: unknown }[];
}

async function signIn(url: string): Promise<Record<string, string>> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(admin) });
  // The answer of a login, which its own tests hold.
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { ...headers, Authorization: `Bearer ${token}` };
}

async function plan(url: string, count: number, inMs: number): Promise<void> {
  const headers = await signIn(url);
  const body = JSON.stringify({ scheduled_at: new Date(Date.now() + inMs).toISOString() });
  const sent = Array.from({ length: count }, () =>
    fetch(`${url}/api/v1/admin/cms/stories`, { method: 'POST', headers, body }),
  );
  for (const answer of await Promise.all(sent)) expect(answer.status).toBe(201);
}

/** All stories, once none of them waits any more. */
async function whenDone(url: string): Promise<Stories['items']> {
  const headers = await signIn(url);
  for (;;) {
    const answer = await fetch(`${url}/api/v1/admin/cms/stories?page_size=100`, { headers });
    // A list of the type above.
    const { items } = (await answer.json()) as Stories;
    if (items.every(({ scheduled_at }) => scheduled_at === null)) return items;
    await Bun.sleep(50);
  }
}

test('two processes move what is due once, and what came due while none ran is done at the next start', async () => {
  using folder = new RectoFolder({ 'story.toml': story });
  const first = folder.spawn(['start'], environment);
  const url = await first.url();
  const second = folder.spawn(['start'], environment);
  const other = await second.url();
  // Long enough for all of them to be made before.
  await plan(url, 30, 6_000);
  const moved = await whenDone(other);
  expect(moved.map(({ status, lock_version }) => [status, lock_version])).toEqual(
    Array.from({ length: 30 }, () => ['published', 2]),
  );

  await plan(url, 5, 600_000);
  for (const recto of [first, second]) {
    recto.kill('SIGTERM');
    expect((await recto.ended()).exitCode).toBe(0);
  }
  // Nobody waits ten minutes here: the time comes nearer instead.
  const database = new Database(`${folder.path}/data/recto.db`);
  database.run('update cms_story set scheduled_at = ? where scheduled_at is not null', [new Date().toISOString()]);
  database.close();
  const third = folder.spawn(['start'], environment);
  const items = await whenDone(await third.url());
  expect(items.filter(({ status, lock_version }) => status === 'published' && lock_version === 2)).toHaveLength(35);
  third.kill('SIGTERM');
  await third.ended();
}, 600_000);
