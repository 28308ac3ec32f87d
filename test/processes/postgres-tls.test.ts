// databases: postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FatalError } from '../../packages/recto/src/base/fatal-error.ts';
import type { Query } from '../../packages/recto/src/database/database.ts';
import { openDatabase } from '../../packages/recto/src/database/open-database.ts';
import { rectoTables } from '../../packages/recto/src/service/recto-tables.ts';
import { onPostgres } from '../support/database/database.ts';
import { type PostgresServer, startPostgres } from '../support/database/postgres-server.ts';

const openssl = Bun.which('openssl');

/** The certificate names `localhost` alone. */
type Host = 'localhost' | '127.0.0.1';

/** Whether connections of services to this database are encrypted, each answer once. */
const encrypted: Query = {
  sql: `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
    WHERE datname = current_database() AND application_name = current_setting('application_name')`,
  parameters: [],
};

// Skipped where there is no openssl to make a certificate with.
describe.skipIf(!onPostgres || openssl === null)('a server with a certificate of its own making', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-tls-'));
  const certificate = join(folder, 'server.crt');
  let server: PostgresServer;

  beforeAll(async () => {
    const key = join(folder, 'server.key');
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2'];
    const words = ['req', '-x509', '-nodes', ...kind, ...names, '-keyout', key, '-out', certificate];
    const made = Bun.spawnSync([openssl ?? '', ...words]);
    if (made.exitCode !== 0) throw new Error(made.stderr.toString());
    server = await startPostgres({ tls: { certificate, key } });
  }, 600_000);

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Whether its connections are encrypted: those that read, write, listen, and read a snapshot. */
  async function connections(parameters: Readonly<Record<string, string>>, host: Host = 'localhost') {
    const url = new URL(server.url);
    url.hostname = host;
    // Connections of before may not have ended yet.
    url.searchParams.set('application_name', `test_${crypto.randomUUID()}`);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const database = await openDatabase({ kind: 'postgres', url: url.href }, { engine: rectoTables, connections: 2 });
    try {
      await database.transaction(async (transaction) => transaction.touch('nothing'));
      const rows = await database.snapshot(async (reader) => reader.rows<{ ssl: boolean }>(encrypted));
      return rows.map(({ ssl }) => ssl);
    } finally {
      await database.close();
    }
  }

  test.each([
    ['is used without encryption unless that is asked for', {}, false],
    ['is used with encryption by require, with any certificate', { sslmode: 'require' }, true],
    ['is known by its certificate', { sslmode: 'verify-full', sslrootcert: certificate }, true],
  ] as const)('%s', async (_, parameters, isEncrypted) => {
    expect(await connections(parameters)).toEqual([isEncrypted]);
  });

  test('is held to its name by verify-full, not by verify-ca', async () => {
    expect(await connections({ sslmode: 'verify-ca', sslrootcert: certificate }, '127.0.0.1')).toEqual([true]);
    const refused = connections({ sslmode: 'verify-full', sslrootcert: certificate }, '127.0.0.1');
    await expect(refused).rejects.toThrow(FatalError);
  });

  test.each(['verify-ca', 'verify-full'])('is refused by %s without its certificate', async (sslmode) => {
    await expect(connections({ sslmode })).rejects.toThrow(FatalError);
  });

  test('is rejected by require, and not spoken to without encryption, where it has none', async () => {
    await using plain = await startPostgres();
    const refused = openDatabase({ kind: 'postgres', url: `${plain.url}?sslmode=require` }, { engine: rectoTables });
    await expect(refused).rejects.toThrow(FatalError);
  }, 600_000);
});
