// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { onPostgres, query } from '../../support/database/database.ts';
import { TestService } from '../../support/service.ts';

/** To compare each file with each record would take hours. */
const count = 300_000;

/** The numbers from 1 on, as rows with the column `n`. */
const numbers = onPostgres
  ? `select n from generate_series(1, ${count}) as n`
  : `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count})
      select n from counted`;

test('the files that no record has are found among many', async () => {
  await using service = await TestService.open([], { builtIn: true });
  const { database } = service;
  const run = (statement: string): Promise<unknown> =>
    database.transaction(async (transaction) => transaction.run(query(statement)));
  await run(`insert into recto_media_files (hash, storage_key, size, created_at)
    select 'hash ' || n, 'files/' || n, 1, 0 from (${numbers}) as numbered`);
  await run(
    `insert into cms_media (id, hash) select 'id ' || n, 'hash ' || n from (${numbers}) as numbered where n <> 7`,
  );
  if (onPostgres) await run(`analyze cms_media`);
  await service.runJobs();
  const lost = `select n from (${numbers}) as numbered
    where not exists (select 1 from recto_media_files where hash = 'hash ' || n)`;
  expect(await database.rows<{ n: number }>(query(lost))).toEqual([{ n: 7 }]);
});
