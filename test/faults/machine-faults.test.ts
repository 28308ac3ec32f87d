// databases: postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { onPostgres } from '../support/database/database.ts';
import { type PostgresServer, startPostgres } from '../support/database/postgres-server.ts';
import { type Machine, Machines } from '../support/processes/machines.ts';
import { databaseOutage } from '../support/processes/outage.ts';
import { entryType, WriteLedger } from '../support/processes/write-ledger.ts';

// Two machines with two workers each on one database, and what may befall them while clients write: no acknowledged write is
// lost or doubled, nothing stale is returned, and nobody has to start anything again but what was killed.

const longest = 600_000;

describe.skipIf(!onPostgres)('under load, on two machines with two workers each', () => {
  let server: PostgresServer;
  let machines: Machines;
  beforeAll(async () => {
    server = await startPostgres();
    const place = { location: { kind: 'postgres', url: server.url } } as const;
    const environment = { RECTO_WORKERS: '2', RECTO_DATABASE_POOL: '8' };
    machines = await Machines.start(2, place, { types: { 'entry.toml': entryType }, environment });
    machines.expectErrors(databaseOutage, /"msg":"a worker ended"/);
  }, longest);
  afterAll(async () => {
    await machines[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  async function cut(condition: string): Promise<void> {
    const client = new SQL(server.url, { max: 1 });
    await client.unsafe(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND (${condition})`,
    );
    await client.close();
  }

  async function restart(how: 'fast' | 'immediate'): Promise<void> {
    await server.stop(how);
    await Bun.sleep(200);
    await server.start();
  }

  /** The process of the worker that the log last names for a place. */
  async function workerAt({ process: started }: Machine, place: number): Promise<number> {
    const [log] = await started.err(/[\s\S]*/);
    const serving = [...log.matchAll(new RegExp(`"worker":${place},"pid":(\\d+),"msg":"a worker serves"`, 'g'))];
    return Number(serving.at(-1)?.[1]);
  }

  const faults: Readonly<Record<string, { readonly times: number; befall(time: number): Promise<void> }>> = {
    'all database connections are cut': { times: 8, befall: () => cut('true') },
    'those who look for changes are cut off': {
      times: 12,
      befall: () => cut("query LIKE '%FROM recto_changes%'"),
    },
    'the database is restarted': { times: 3, befall: () => restart('fast') },
    'the database crashes': { times: 4, befall: () => restart('immediate') },
    'workers are killed': {
      times: 4,
      // Each once, so that none waits for its replacement.
      befall: async (time) => {
        process.kill(await workerAt(machines.at(time), 1 + Math.floor(time / 2)), 'SIGKILL');
        await Bun.sleep(800);
      },
    },
  };

  test.each(Object.entries(faults))(
    '%s',
    async (name, { times, befall }) => {
      const ledger = new WriteLedger(machines, name);
      await ledger.during(async () => {
        for (let time = 0; time < times; time += 1) {
          await Bun.sleep(200 + 100 * (time % 4));
          await befall(time);
        }
        await Bun.sleep(500);
      });
      await ledger.recovered();
      await ledger.check();
    },
    longest,
  );

  test(
    'after all that they end in order',
    async () => {
      expect(await machines.stop()).toEqual([0, 0]);
    },
    longest,
  );
});
