import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hangsAfterMs } from '../../../../../test/support/hangs-after.ts';
import { volatileFolder } from '../../../../../test/support/volatile-folder.ts';
import { rectoTables } from '../../service/recto-tables.ts';
import { longestLog } from './longest-log.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import { openSqliteFile, type SqliteConnections } from './sqlite-opening.ts';

const count = { sql: 'SELECT count(*) AS n FROM texts', parameters: [] };

let folder: string;
let path: string;
let opened: SqliteConnections[];

beforeEach(async () => {
  folder = await mkdtemp(join(volatileFolder(), 'recto-reader-'));
  path = join(folder, 'recto.db');
  opened = [];
  const { writer } = await open();
  writer.execute('CREATE TABLE texts (body text) STRICT');
});

afterEach(async () => {
  for (const { reader, writer } of opened) {
    reader.close();
    writer.close();
  }
  await rm(folder, { recursive: true });
});

/** As each process of a machine opens the file. */
async function open(): Promise<SqliteConnections> {
  const connections = await openSqliteFile({ path, engine: rectoTables, busyTimeoutMs: 5000 });
  opened.push(connections);
  return connections;
}

const rows = (reader: SqliteConnection): number | undefined => reader.first<{ n: number }>(count)?.n;

/** A commit as the writer of a process makes it. */
function write({ writer, shared }: SqliteConnections, body = 'a text'): void {
  writer.run({ sql: 'INSERT INTO texts VALUES (?)', parameters: [body] });
  shared?.committed();
}

describe('statements that follow each other', () => {
  test('run in one transaction, which ends by itself', async () => {
    const { reader } = await open();
    // However slow the machine, two of these are soon close enough.
    const deadline = Date.now() + hangsAfterMs;
    while (!reader.inTransaction && Date.now() < deadline) rows(reader);
    expect(reader.inTransaction).toBe(true);
    while (reader.inTransaction && Date.now() < deadline) await Bun.sleep(1);
    expect(reader.inTransaction).toBe(false);
  });

  test('see each commit, of this process and of others', async () => {
    const own = await open();
    const other = await open();
    const seen: (number | undefined)[] = [];
    for (let round = 0; round < 200; round += 1) {
      for (let read = 0; read < 3; read += 1) rows(own.reader);
      write(round % 2 === 0 ? own : other);
      seen.push(rows(own.reader));
    }
    expect(seen).toEqual(Array.from({ length: 200 }, (_, round) => round + 1));
  });

  test('see at the latest some milliseconds later what a process committed that was killed before it notified others', async () => {
    const { reader } = await open();
    const killed = await open();
    for (let read = 0; read < 100; read += 1) rows(reader);
    killed.writer.run({ sql: 'INSERT INTO texts VALUES (?)', parameters: ['of the killed one'] });
    const deadline = Date.now() + hangsAfterMs;
    while (rows(reader) === 0 && Date.now() < deadline);
    expect(rows(reader)).toBe(1);
  });
});

test('the log stays short while one process always writes and another always reads', async () => {
  const [writing, reading] = await Promise.all([
    openSqliteDatabase({ path, engine: rectoTables }),
    openSqliteDatabase({ path, engine: rectoTables }),
  ]);
  const query = { sql: 'INSERT INTO texts VALUES (?)', parameters: ['x'.repeat(256 * 1024)] };
  let longest = 0;
  for (let round = 0; round < 400; round += 1) {
    // As a busy process does: whenever the other commits, it has a state in hand.
    for (let read = 0; read < 20; read += 1) await reading.rows(count);
    await writing.transaction(async (transaction) => transaction.run(query));
    longest = Math.max(longest, (await stat(`${path}-wal`)).size);
  }
  await Promise.all([writing.close(), reading.close()]);
  expect(longest).toBeLessThan(longestLog * 1.5);
}, 600_000);
