import { SQL } from 'bun';
import { createLogger } from '../packages/recto/src/base/logger.ts';
import { readSettings } from '../packages/recto/src/config/settings.ts';
import { lockingNumbers } from '../packages/recto/src/database/postgres/writing/number-order.ts';
import { defineContentType } from '../packages/recto/src/definition/define-content-type.ts';
import { openService } from '../packages/recto/src/service/open-service.ts';
import { startBenchPostgres } from './postgres-server.ts';
import { logProgress } from './progress.ts';

/**
 * What informs others of a create on PostgreSQL and what the event log costs, as ratios of a bare insert in one run:
 * `bun bench/postgres-notify.ts [rounds] [seconds]`. A bare insert alone, with a notification in it, and with one that a relay
 * sends behind the commits; with a row of a log, with one that is numbered in the order of commits by a lock, and with one
 * numbered as the event log is; then creates of Recto.
 */
const [rounds, seconds] = [Number(Bun.argv[2] ?? 5), Number(Bun.argv[3] ?? 3)];
const clients = 32;
const relayMs = 20;

await using postgres = await startBenchPostgres();
const settings = {
  ...readSettings({ RECTO_DATABASE_URL: postgres.url, RECTO_SECRET: 'a secret of a benchmark, and long' }),
};
const definition = defineContentType({
  singular: 'article',
  plural: 'articles',
  protocols: ['timestampable'],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'summary', field_type: 'text' },
    { name: 'reads', field_type: 'integer' },
    { name: 'featured', field_type: 'boolean' },
  ],
  api: { create: { access: 'public' } },
});
const service = await openService({
  settings: { ...settings, databasePool: clients },
  log: createLogger('silent'),
  definitions: [definition],
});
const { records } = service;
const type = records.types.get('article');

const sql = new SQL(postgres.url, { max: clients });
const listener = new SQL(postgres.url, { max: 1 });
await listener.listen('bare', () => undefined);
await sql.unsafe('create table bare_event (seq bigserial primary key, type text, record text)');
await sql.unsafe(`create table bare_article (id text primary key, title text, summary text, reads bigint, featured boolean,
  created_at text, updated_at text)`);
const columns = `insert into bare_article values ($1, $2, $3, $4, $5, $6, $7) returning id`;
const values = (): unknown[] => {
  const now = new Date().toISOString();
  return [Bun.randomUUIDv7(), 'A new article', 'About it. '.repeat(10), 1, true, now, now];
};

let waiting = false;
async function relay(): Promise<void> {
  if (waiting) return;
  waiting = true;
  await Bun.sleep(relayMs);
  waiting = false;
  await sql.unsafe(`select pg_notify('bare', 'article')`);
}

const payload = { title: 'A new article', summary: 'About it. '.repeat(10), reads: 1, featured: true };
const create = async (): Promise<void> => {
  await records.create({ type, admin: false, caller: { kind: 'anonymous' }, search: '', payload });
};

const numbered = { name: 'bare_event', columns: { seq: { numbered: true } } } as const;
const contenders: Readonly<Record<string, { readonly work: () => Promise<unknown> }>> = {
  'bare insert': { work: () => sql.unsafe(columns, values()) },
  'bare insert, NOTIFY in it': {
    work: () =>
      sql.unsafe(
        `with sent as (select pg_notify('bare', 'article')) ${columns.replace('returning id', 'returning (select count(*) from sent)')}`,
        values(),
      ),
  },
  'bare insert, NOTIFY by a relay': { work: () => sql.unsafe(columns, values()).then(() => void relay()) },
  'bare insert and event': {
    work: () =>
      sql.unsafe(`with logged as (insert into bare_event (type, record) values ('article', $1)) ${columns}`, values()),
  },
  'bare insert and event, in order': {
    work: () =>
      sql.begin(async (transaction) => {
        const inserted = transaction.unsafe(columns, values());
        // Held until the commit is visible, so that numbers rise in the order of commits.
        const locked = transaction.unsafe('select pg_advisory_xact_lock(1)');
        const logged = transaction.unsafe(`insert into bare_event (type, record) values ('article', 'x')`);
        await Promise.all([inserted, locked, logged]);
      }),
  },
  'bare insert and event, settled': {
    work: () =>
      sql.begin(async (transaction) => {
        const inserted = transaction.unsafe(columns, values());
        const announced = transaction.unsafe(lockingNumbers(numbered));
        const logged = transaction.unsafe(`insert into bare_event (type, record) values ('article', 'x')`);
        await Promise.all([inserted, announced, logged]);
      }),
  },
  'create of Recto': { work: create },
};

async function perSecond({ work }: (typeof contenders)[string]): Promise<number> {
  const began = performance.now();
  const end = began + seconds * 1_000;
  let done = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (done * 1_000) / (performance.now() - began);
}

const names = Object.keys(contenders);
const found = new Map<string, number[]>(names.map((name) => [name, []]));
for (let round = -1; round < rounds; round += 1) {
  for (const [name, contender] of Object.entries(contenders)) {
    const rate = await perSecond(contender);
    if (round >= 0) found.get(name)?.push(rate);
  }
  logProgress(`round ${round + 1} of ${rounds}`);
}
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const bare = found.get('bare insert') ?? [];
for (const name of names) {
  const rates = found.get(name) ?? [];
  const ratios = rates.map((rate, round) => rate / (bare[round] ?? 1));
  process.stdout.write(
    `${name.padEnd(32)} ${median(rates).toFixed(0).padStart(7)}/s  ${median(ratios).toFixed(2)} of bare\n`,
  );
}
await service.stop();
await listener.close({ timeout: 0 });
await sql.close({ timeout: 0 });
