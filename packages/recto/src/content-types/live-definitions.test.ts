// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import Type from 'typebox';
import { onPostgres, openTestDatabase, query } from '../../../../test/support/database/database.ts';
import { deployed } from '../../../../test/support/definitions.ts';
import type { Database, Query } from '../database/database.ts';
import { definitionRegistry } from '../definition/definition-registry.ts';
import { defineFieldType } from '../definition/field-type.ts';
import { standardRegistry } from '../definition/standard-registry.ts';
import { SchemaVersionGuard } from '../records/plans/schema-version-guard.ts';
import { DefinitionChanges } from './definition-changes.ts';
import { LiveDefinitions } from './live-definitions.ts';

const note = (...names: readonly string[]) =>
  deployed([{ singular: 'note', plural: 'notes', fields: names.map((name) => ({ name, field_type: 'text' })) }], []);

test.skipIf(!onPostgres)(
  'changed definitions may look at what is stored for longer than other reads may take',
  async () => {
    await using database = await openTestDatabase();
    await LiveDefinitions.open({ database, deployed: note('title', 'summary') });
    const hasty = await database.again({ readTimeoutMs: 3_000 });
    const locked = Promise.withResolvers<void>();
    const holding = database.transaction(async (transaction) => {
      await transaction.run(query('LOCK TABLE cms_note IN ACCESS EXCLUSIVE MODE'));
      locked.resolve();
      await transaction.rows(query('SELECT pg_sleep(5)'));
    });
    await locked.promise;
    const { changes } = await LiveDefinitions.open({ database: hasty, deployed: note('title') });
    expect(changes).toEqual({ created: [], changed: ['note'], reindexed: ['note'] });
    await holding;
    await hasty.close();
  },
);

test('a type that is changed while its definition is read is written to by the new definition alone', async () => {
  await using database = await openTestDatabase();
  const files = deployed([], []);
  const other = await database.again();
  const { definitions: writing } = await LiveDefinitions.open({ database: other, deployed: files });
  const changes = new DefinitionChanges(writing);
  const moment = { author: null, now: '2026-11-21T10:00:00.000Z' };
  const field = (field_type: string) => ({ singular: 'note', plural: 'notes', fields: [{ name: 'size', field_type }] });
  const replace = (field_type: string) => {
    const saving = { action: 'replace', singular: 'note', definition: field(field_type), ifMatch: null } as const;
    return changes.commit(changes.saving(saving, moment));
  };
  await changes.commit(changes.saving({ action: 'create', definition: field('text') }, moment));

  // Reads that start while the gate is closed finish when it opens.
  let gate: { readonly reached: () => void; readonly open: Promise<void> } | undefined;
  const reader: Database = Object.create(database, {
    rows: {
      value: async (query: Query) => {
        const rows = await database.rows(query);
        gate?.reached();
        await gate?.open;
        return rows;
      },
    },
  });
  const { definitions } = await LiveDefinitions.open({ database: reader, deployed: files });
  await replace('integer');
  const [reached, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  gate = { reached: reached.resolve, open: open.promise };
  const found = definitions.look();
  await reached.promise;
  await replace('boolean');
  // As another request does.
  await database.generations.refresh();
  gate = undefined;
  open.resolve();
  const types = await found;
  const note = types.get('note');
  expect(note.field.get('size')?.type.name).toBe('integer');
  const guard = new SchemaVersionGuard(reader, types, definitions.layouts);
  const refusal = await database.transaction((transaction) => guard.check(transaction, note)).catch((error) => error);
  expect(refusal).toMatchObject({ code: 'definition_changed' });
  const later = await definitions.look();
  expect(later.get('note').field.get('size')?.type.name).toBe('boolean');
  const current = new SchemaVersionGuard(reader, later, definitions.layouts);
  await database.transaction((transaction) => current.check(transaction, later.get('note')));
  await other.close();
});

test('the definitions of a deployment, and those that are stored, name what its registry has', async () => {
  await using database = await openTestDatabase();
  const color = defineFieldType({ name: 'color', kind: 'text', options: [], input: () => Type.String() });
  const fieldTypes = [...standardRegistry.fieldTypes.values(), color];
  const registry = definitionRegistry({ fieldTypes, protocols: [...standardRegistry.protocols.values()] });
  const car = { singular: 'car', plural: 'cars', fields: [{ name: 'paint', field_type: 'color' }] };
  const cars = deployed([car], []);
  await expect(LiveDefinitions.open({ database, deployed: cars })).rejects.toThrow('color');
  const { definitions } = await LiveDefinitions.open({ database, deployed: { ...cars, registry } });
  const changes = new DefinitionChanges(definitions);
  const van = { singular: 'van', plural: 'vans', fields: car.fields };
  const moment = { author: null, now: new Date().toISOString() };
  await changes.commit(changes.saving({ action: 'create', definition: van }, moment));
  const types = definitions.current.types.all.map(({ singular, fields }) => [singular, fields.at(-1)?.type.name]);
  expect(types).toEqual([
    ['van', 'color'],
    ['car', 'color'],
  ]);
});
