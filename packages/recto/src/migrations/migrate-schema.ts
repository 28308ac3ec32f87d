import { FatalError } from '../base/fatal-error.ts';
import type { Database } from '../database/database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { noDrops, planSchema, type SchemaPlan } from './plan/schema-plan.ts';
import { StoredFacts } from './plan/stored-facts.ts';
import type { TypePlan } from './plan/type-plan.ts';
import type { UnusedDrops } from './plan/unused-plan.ts';
import { refusalText, runPlan } from './sync-schema.ts';

/** What was done. */
export interface Migrated {
  readonly plan: SchemaPlan;
  /** How many records each type has that was changed, by its singular name: as many as before. */
  readonly records: Readonly<Record<string, number>>;
}

/**
 * Does all that the definitions ask of the database, in one transaction: what a start does, and also renames, conversions
 * without loss, narrowing, and the drops that are named. What is stored is checked in the same transaction; where anything does
 * not fit, a `FatalError` lists all of it and nothing is changed.
 */
export async function migrateSchema(
  database: Database,
  types: ContentTypes,
  drops: UnusedDrops = noDrops,
): Promise<Migrated> {
  return database.transaction(async (transaction) => {
    const { dialect } = database;
    const facts = new StoredFacts(transaction, dialect);
    const plan = await planSchema(transaction, dialect, types, drops);
    if (plan.notes.some(({ way }) => way === 'refused')) throw new FatalError(refusalText(plan));
    const kept = await countRecords(facts, plan.types, ({ tableNow }) => tableNow);
    await runPlan(transaction, plan);
    const records = await countRecords(facts, plan.types, ({ type }) => type.table);
    if (!Bun.deepEquals(records, kept)) throw new Error(`Records were lost: ${JSON.stringify({ kept, records })}`);
    return { plan, records };
  });
}

/** By the types' singular names; those that come to be have none. */
async function countRecords(
  facts: StoredFacts,
  plans: readonly TypePlan[],
  tableOf: (plan: TypePlan) => string,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const plan of plans) counts[plan.type.singular] = plan.created ? 0 : await facts.records(tableOf(plan));
  return counts;
}
