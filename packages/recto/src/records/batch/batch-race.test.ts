// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { Problem } from '../../base/problem.ts';
import { checkDefinitions } from '../../definition/check-definitions.ts';
import { account, TestRecords } from '../records.fixture.ts';
import type { PreparedWrite } from '../write/prepared-write.ts';
import { batchActionsOf } from './batch-action.ts';
import { prepareBatch } from './prepare-batch.ts';

const task = {
  singular: 'task',
  plural: 'tasks',
  unique: [['lot', 'codename']],
  protocols: [
    { name: 'versionable', drafts: true },
    { name: 'statusable', values: ['draft', 'published'], default: 'draft', published: 'published' },
  ],
  fields: [
    { name: 'lot', field_type: 'text', max_length: 20 },
    { name: 'codename', field_type: 'text', max_length: 20 },
  ],
};
const clerk = {
  name: 'clerk',
  types: { task: { list: true, get: true, update: true, publish: true, read: { except: ['codename'] } } },
};

test('what the index alone finds names no field that the role does not read', async () => {
  const roles = { sources: [{ file: 'roles/clerk', definition: clerk }], unreadable: [] };
  const { types, faults } = checkDefinitions([{ file: 'task', definition: task }], { roles });
  if (types === undefined) throw new Error(JSON.stringify(faults));
  await using site = await TestRecords.of(types);
  const type = site.type('task');
  await site.create('task', { lot: 'a', codename: 'walnut' });
  const { id } = await site.create('task', { lot: 'b', codename: 'walnut' });
  const caller = account('00000000-0000-7000-8000-000000000002', 'clerk');
  const update = batchActionsOf(type).get('update');
  if (update === undefined) throw new Error('There is no batch of updates.');
  const request = { type, caller, set: { lot: 'c' } };
  const writes: readonly PreparedWrite<unknown>[] = [
    await prepareBatch(site.records, update, request, { by: 'ids', ids: [id] }),
    site.records.preparePublication({ type, caller, id, payload: {}, ifMatch: null }),
  ];
  for (const write of writes) {
    // As if another process had been first: nothing but the index knows of it.
    const late = { sql: `UPDATE cms_task SET lot = 'a' WHERE id = '${id}'`, parameters: [] };
    const racing = { ...write, run: async (transaction: Parameters<typeof write.run>[0]) => transaction.run(late) };
    const error = await site.records.runInTransaction(racing).catch((thrown: unknown) => thrown);
    if (!(error instanceof Problem)) throw error;
    expect(error.errors?.map(({ field, code }) => [field, code])).toEqual([['lot', 'taken']]);
    expect(JSON.stringify(error.errors)).not.toContain('codename');
  }
});
