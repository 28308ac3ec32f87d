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

/** Makes stories that are due after so many milliseconds; returns how many of them waited for it. */
async function plan(url: string, count: number, inMs: number): Promise<number> {
  const headers = await signIn(url);
  const body = JSON.stringify({ scheduled_at: new Date(Date.now() + inMs).toISOString() });
  const sent = Array.from({ length: count }, () =>
    fetch(`${url}/api/v1/admin/cms/stories`, { method: 'POST', headers, body }),
  );
  let waiting = 0;
  for (const answer of await Promise.all(sent)) {
    expect(answer.status).toBe(201);
    // What is due already is published at once.
    if (Object(await answer.json()).status === 'draft') waiting += 1;
  }
  return waiting;
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
  // Long enough for all of them to be made before; on a machine that is too slow for that, longer.
  let [all, waited] = [0, 0];
  for (let inMs = 6_000; waited < 30; inMs *= 4) {
    waited += await plan(url, 30, inMs);
    all += 30;
  }
  const isMoved = ({ status, lock_version }: Stories['items'][number]): boolean =>
    status === 'published' && lock_version === 2;
  const moved = await whenDone(other);
  expect([moved.length, moved.filter(isMoved).length]).toEqual([all, waited]);

  expect(await plan(url, 5, 600_000)).toBe(5);
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
  expect(items.filter(isMoved)).toHaveLength(waited + 5);
  third.kill('SIGTERM');
  await third.ended();
}, 600_000);
