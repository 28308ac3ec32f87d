import { afterAll, beforeAll, expect, test } from 'bun:test';
import { dirname } from 'node:path';
import Type from 'typebox';
import { openTestSqlite } from '../../../../test/support/database/sqlite-database.ts';
import { runCommand } from '../../../../test/support/processes/run-command.ts';
import { Jobs } from '../jobs/jobs.ts';

let database: Awaited<ReturnType<typeof openTestSqlite>>;
let jobs: Jobs;
beforeAll(async () => {
  database = await openTestSqlite();
  jobs = new Jobs(database);
});
afterAll(() => database.close());

const run = (...args: readonly string[]) =>
  runCommand(['jobs', ...args], { environment: { RECTO_DATA_DIR: dirname(database.path) } });
const enqueue = (key?: string): Promise<string> =>
  jobs.enqueue({ name: 'test.kind', payload: Type.Object({}) }, {}, key === undefined ? {} : { key });

test('jobs are listed, cancelled and queued anew', async () => {
  const id = await enqueue();
  expect((await run('list')).out).toContain('test.kind  queued');
  expect((await run('cancel', id)).out).toBe(`Cancelled ${id} (test.kind).\n`);
  const listed = JSON.parse((await run('list', '--state', 'cancelled', '--json')).out);
  expect(listed).toMatchObject({ ok: true, total: 1, jobs: [{ id, state: 'cancelled' }] });
  const refused = await run('cancel', id);
  expect([refused.exitCode, refused.err]).toEqual([1, `${id} has ended.\n`]);
  expect((await run('retry', id)).exitCode).toBe(0);
  expect(await jobs.store.get(id)).toMatchObject({ state: 'queued' });
});

test('a job with a schedule that keeps failing is reported, and has no last attempt', async () => {
  const environment = { RECTO_DATA_DIR: dirname(database.path), RECTO_PORT: '0' };
  const doctor = async (): Promise<string> => (await runCommand(['doctor'], { environment })).out;
  const id = await enqueue('periodic:cron.nightly');
  expect(await doctor()).toMatch(/^ok +jobs/m);
  await database.transaction(async (transaction) =>
    transaction.run({ sql: "UPDATE recto_jobs SET attempts = 7, error = 'No disk.' WHERE id = ?", parameters: [id] }),
  );
  expect(await doctor()).toMatch(/^warn +jobs +1 scheduled job failed in every recent run: test\.kind$/m);
  expect((await run('list')).out).toMatch(/test\.kind +queued +\S+ +7 +- +No disk\./);
  await database.transaction(async (transaction) =>
    transaction.run({ sql: 'DELETE FROM recto_jobs WHERE id = ?', parameters: [id] }),
  );
});

test('what cannot be done is refused with its reason', async () => {
  const periodic = await enqueue('periodic:test.kind');
  expect((await run('cancel', periodic)).err).toBe(`${periodic} runs by a schedule of the service.\n`);
  expect((await run('retry', 'nothing')).err).toContain('There is no job with the id nothing');
  expect((await run('list', '--limit', '0')).exitCode).toBe(2);
});
