// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, newTestLocation } from '../support/database/database.ts';
import { MailServer } from '../support/mail-server.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';
import { killsOf } from '../support/random-cases.ts';

// A service that is killed while it sends mails: every request that was answered has its mail, and the last link works. No file of the
// service and no line of its log has a link. `RECTO_TEST_KILLS` asks for more kills.

const kills = killsOf(10);
/** How many ask for a new password between two kills. */
const each = 6;
const leased = [process.execPath, join(import.meta.dir, '../support/processes/leased-service.ts')];
const password = 'correct horse';

test(`a service that is killed ${kills} times mails what it has promised`, async () => {
  await using server = await MailServer.open();
  await using location = await newTestLocation();
  using folder = new RectoFolder();
  const environment = {
    RECTO_SECRET: 'a secret that outlives every process',
    RECTO_RATE_LIMIT: 'off',
    RECTO_MAIL_URL: `smtp://127.0.0.1:${server.port}`,
    RECTO_MAIL_FROM: 'Example Site <mail@example.com>',
    RECTO_MAIL_PER_HOUR: '100000',
    RECTO_URL: 'https://cms.example.com',
    ...environmentOf(location),
  };
  let service = folder.spawn([], environment, leased);
  let url = await service.url();
  const logs: string[] = [];
  const post = async (path: string, body: object): Promise<number> => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${url}/api/v1/auth/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await response.arrayBuffer();
    return response.status;
  };
  const promised: string[] = [];
  for (let round = 0; round < kills; round += 1) {
    const people = Array.from({ length: each }, (_, index) => `person${round}x${index}@example.org`);
    for (const email of people) expect(await post('register', { email, password })).toBe(201);
    const arrived = server.received.length;
    const asked = people.map(async (email) => {
      // A request that the kill has cut off has no answer, and nothing was promised.
      if ((await post('password-reset', { email }).catch(() => 0)) === 202) promised.push(email);
    });
    // At another point of the work each time: after some of the answers, and some of the mails.
    await Promise.all(asked.slice(0, round % (each + 1)));
    await server.arrived(arrived + (round % 3 === 0 ? 0 : Math.min(round % each, promised.length > 0 ? 1 : 0)));
    service.kill('SIGKILL');
    await Promise.all(asked);
    logs.push((await service.ended()).err);
    service = folder.spawn([], environment, leased);
    url = await service.url();
  }
  expect(promised.length).toBeGreaterThan(0);
  for (const email of promised) {
    while (server.to(email).length === 0) await server.arrived(server.received.length + 1);
  }
  const newPassword = async (token: string): Promise<number> =>
    post('password-reset/confirm', { token, new_password: 'battery staple' });
  for (const email of promised) {
    const tried = new Set<string>();
    // A mail that was sent before a kill may come once more, with another link: the one that was made last works.
    for (let status = 0; status !== 204; ) {
      const arrived = server.received.length;
      const links = server.to(email).flatMap(({ parsed }) => parsed.text?.match(/rat_[\w-]+/) ?? []);
      const link = links.findLast((each) => !tried.has(each));
      if (link === undefined) await server.arrived(arrived + 1);
      else status = await newPassword(link);
      tried.add(link ?? '');
    }
  }
  service.kill('SIGTERM');
  logs.push((await service.ended()).err);
  const tokens = server.received.flatMap(({ parsed }) => parsed.text?.match(/rat_[\w-]+/g) ?? []);
  expect(tokens.length).toBeGreaterThanOrEqual(promised.length);
  const files = [folder.path, location.folder].flatMap((path) =>
    readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  const kept = [...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')), ...logs];
  expect(tokens.filter((token) => kept.some((text) => text.includes(token)))).toEqual([]);
}, 900_000);
