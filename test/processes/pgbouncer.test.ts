import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { becomes } from '../support/database/database.ts';
import { newPostgresDatabase, type PostgresPlace } from '../support/database/postgres-place.ts';
import { freePort } from '../support/free-port.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';

const pgbouncer = Bun.which('pgbouncer', { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin` });

const noteType = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text', required: true }],
  api: { list: { cache: true }, create: { access: 'public' } },
};

/** A pooler in transaction mode before a PostgreSQL database, with fewer connections than its clients have. */
class Pooler implements AsyncDisposable {
  readonly url: string;
  readonly #folder: string;
  readonly #child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>;

  static async start(command: string, database: string): Promise<Pooler> {
    for (let tries = 0; tries < 10; tries++) {
      const pooler = new Pooler(command, new URL(database), freePort());
      if (await pooler.#listens()) return pooler;
      await pooler[Symbol.asyncDispose]();
    }
    throw new Error('pgbouncer did not start.');
  }

  private constructor(command: string, { hostname, port, username, password, pathname }: URL, own: number) {
    const account = `user=${username}${password === '' ? '' : ` password=${password}`}`;
    this.url = `postgres://${username}@127.0.0.1:${own}${pathname}?prepare=false`;
    this.#folder = mkdtempSync(join(tmpdir(), 'recto-pgbouncer-'));
    chmodSync(this.#folder, 0o755);
    const file = join(this.#folder, 'pgbouncer.ini');
    writeFileSync(
      file,
      `[databases]
* = host=${hostname} port=${port} ${account}
[pgbouncer]
listen_addr=127.0.0.1
listen_port=${own}
unix_socket_dir=
auth_type=any
pool_mode=transaction
default_pool_size=4
max_client_conn=100
`,
    );
    // It does not run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    this.#child = Bun.spawn([command, ...user, file], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      timeout: 900_000,
    });
  }

  async #listens(): Promise<boolean> {
    let said = '';
    for await (const chunk of this.#child.stderr) {
      said += new TextDecoder().decode(chunk);
      if (/process up/.test(said)) return true;
      if (/in use/.test(said)) return false;
    }
    throw new Error(said);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#child.exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

// Skipped where pgbouncer is not installed (Debian: apt-get install pgbouncer).
describe.skipIf(pgbouncer === null)('two machines behind a pooler in transaction mode', () => {
  const folders = [0, 1].map(() => new RectoFolder({ 'note.json': JSON.stringify(noteType) }));
  let place: PostgresPlace;
  let pooler: Pooler;
  let machines: RectoProcess[] = [];
  let urls: readonly string[] = [];

  beforeAll(async () => {
    place = await newPostgresDatabase();
    pooler = await Pooler.start(pgbouncer ?? '', place.url);
    const environment = {
      RECTO_DATABASE_URL: pooler.url,
      RECTO_DATABASE_LISTEN_URL: place.url,
      RECTO_SECRET: 'a secret of the tests, long enough',
      RECTO_LOG_LEVEL: 'warn',
    };
    machines = folders.map((folder) => folder.spawn(['start'], environment));
    urls = await Promise.all(machines.map((machine) => machine.url()));
  }, 600_000);

  afterAll(async () => {
    for (const machine of machines) machine.kill('SIGKILL');
    for (const machine of machines) await machine.ended();
    await pooler[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
    for (const folder of folders) folder[Symbol.dispose]();
  });

  const create = async (machine: number, key: string): Promise<number> => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
    const body = JSON.stringify({ title: key });
    return (await fetch(`${urls[machine]}/api/v1/cms/notes`, { method: 'POST', headers, body })).status;
  };
  const total = async (machine: number): Promise<number> => {
    const response = await fetch(`${urls[machine]}/api/v1/cms/notes?page_size=1`);
    return ((await response.json()) as { total: number }).total;
  };

  test('a change through one is returned by the other, whose answer was cached', async () => {
    for (let count = 0; count < 10; count++) {
      expect(await total(1)).toBe(count);
      expect(await create(0, crypto.randomUUID())).toBe(201);
      expect(await total(0)).toBe(count + 1);
      await becomes(() => total(1), count + 1);
    }
  });

  test('a start without the address of the server itself fails', async () => {
    using folder = new RectoFolder({ 'note.json': JSON.stringify(noteType) });
    const { exitCode, err } = await folder.run(['start'], { RECTO_DATABASE_URL: pooler.url, RECTO_LOG_LEVEL: 'warn' });
    expect(exitCode).toBe(1);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain('RECTO_DATABASE_LISTEN_URL');
  }, 600_000);

  test('more requests at once than the pooler has connections, each done once', async () => {
    const before = await total(0);
    const keys = Array.from({ length: 100 }, () => crypto.randomUUID());
    const statuses = await Promise.all(keys.map((key, index) => create(index % 2, key)));
    expect(new Set(statuses)).toEqual(new Set([201]));
    const again = await Promise.all(keys.map((key, index) => create((index + 1) % 2, key)));
    expect(new Set(again)).toEqual(new Set([201]));
    for (const machine of [0, 1]) await becomes(() => total(machine), before + keys.length);
  });
});
