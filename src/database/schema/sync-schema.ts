import { sql } from 'kysely';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { StartRefused } from '../../errors/start-refused.ts';
import { compiledQuery, queryOf } from '../compiled-query.ts';
import type { Database, Executor, Query, Transaction } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import { reindex } from './reindex.ts';
import { StoredFacts } from './stored-facts.ts';
import { planType, type TypePlan } from './type-plan.ts';
import { type FieldStorages, storageOf, type TypeStorage } from './type-storage.ts';

/** What a start changed in the database; singular names. All empty when it could hold the definitions already. */
export interface SchemaReport {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  /** Those whose search index was made anew. */
  readonly reindexed: readonly string[];
}

/**
 * Makes and extends tables so that the database can hold the definitions, in one transaction. Nothing that is stored is ever
 * lost: fields and types that are no longer defined stay as they are and come back with their values when defined again, and
 * a change that what is stored does not allow throws a `StartRefused` with all such changes of all types; nothing is changed then.
 */
export async function syncSchema(database: Database, types: ContentTypes): Promise<SchemaReport> {
  const { dialect } = database;
  if (outdated(types, await readMemory(database)).length === 0) return { created: [], changed: [], reindexed: [] };
  return database.transaction(async (transaction) => {
    // Another process may have done it since.
    const plans = await planTypes(transaction, dialect, types);
    const refusals = plans.flatMap((plan) => plan.refusals);
    if (refusals.length > 0) throw new StartRefused(refusalText(refusals));
    await applyPlans(transaction, dialect, plans);
    return report(plans);
  });
}

/** What `syncSchema` would find: what it would change, or why it would refuse. For reading alone. */
export async function previewSchema(
  executor: Executor,
  dialect: Dialect,
  types: ContentTypes,
): Promise<SchemaReport & { readonly refusals: readonly string[] }> {
  const plans = await planTypes(executor, dialect, types);
  return { ...report(plans), refusals: plans.flatMap((plan) => plan.refusals) };
}

async function planTypes(executor: Executor, dialect: Dialect, types: ContentTypes): Promise<readonly TypePlan[]> {
  const memory = await readMemory(executor);
  const facts = new StoredFacts(executor, dialect);
  const plans: TypePlan[] = [];
  for (const type of outdated(types, memory)) {
    plans.push(await planType(type, types, parsed(memory.get(type.singular)), facts));
  }
  return plans;
}

interface MemoryRow {
  readonly type: string;
  readonly snapshot: string;
  readonly dormant: string;
}

type Memory = ReadonlyMap<string, MemoryRow>;

const readMemoryQuery: Query = { sql: 'SELECT type, snapshot, dormant FROM recto_schema', parameters: [] };

async function readMemory(executor: Executor): Promise<Memory> {
  const rows = await executor.rows<MemoryRow>(readMemoryQuery);
  return new Map(rows.map((row) => [row.type, row]));
}

/** The types whose definition asks for something else than what the database was last made for. */
const outdated = (types: ContentTypes, memory: Memory): readonly ContentType[] =>
  types.all.filter((type) => JSON.stringify(storageOf(type)) !== memory.get(type.singular)?.snapshot);

function parsed(row: MemoryRow | undefined) {
  if (row === undefined) return undefined;
  // Both columns only ever get what `remember` below makes of these types.
  return { storage: JSON.parse(row.snapshot) as TypeStorage, dormant: JSON.parse(row.dormant) as FieldStorages };
}

async function applyPlans(transaction: Transaction, dialect: Dialect, plans: readonly TypePlan[]): Promise<void> {
  for (const query of dialect.schema.statements(plans.flatMap((plan) => plan.changes))) await transaction.run(query);
  for (const plan of plans) {
    for (const name of plan.filled) await fillDefault(transaction, dialect, plan.type, name);
    if (plan.reindexed) await reindex(transaction, dialect, plan.type);
    await transaction.run(remember(plan, dialect));
    transaction.touch(plan.type.singular);
  }
}

async function fillDefault(transaction: Transaction, dialect: Dialect, type: ContentType, name: string): Promise<void> {
  const field = type.field.get(name);
  if (field?.place.shape !== 'column' || field.default === undefined) return;
  const parsed = field.type.parse(field.default, field);
  if (!parsed.ok)
    throw new StartRefused(`${type.source}: the default of "${name}" is no value of it: ${parsed.message}`);
  const { column, kind } = field.place;
  const value = dialect.encode(kind, parsed.value);
  await transaction.run(compiledQuery(sql`update ${sql.id(type.table)} set ${sql.id(column)} = ${value}`, dialect));
}

function remember({ type, wanted, dormant }: TypePlan, dialect: Dialect): Query {
  const memory = { snapshot: JSON.stringify(wanted), dormant: JSON.stringify(dormant) };
  return queryOf(
    dialect.builder
      .insertInto('recto_schema')
      .values({ type: type.singular, ...memory })
      .onConflict((conflict) => conflict.column('type').doUpdateSet(memory))
      .compile(),
  );
}

const refusalText = (refusals: readonly string[]): string =>
  [
    'The content type definitions do not fit what the database holds; nothing was changed.',
    ...refusals.map((refusal) => `  ${refusal}`),
  ].join('\n');

function report(plans: readonly TypePlan[]): SchemaReport {
  const named = (some: readonly TypePlan[]) => some.map(({ type }) => type.singular);
  return {
    created: named(plans.filter(({ created }) => created)),
    changed: named(plans.filter(({ created }) => !created)),
    reindexed: named(plans.filter(({ reindexed }) => reindexed)),
  };
}
