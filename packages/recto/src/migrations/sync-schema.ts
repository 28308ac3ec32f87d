import { FatalError } from '../base/fatal-error.ts';
import { Problem } from '../base/problem.ts';
import type { Database, Executor, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { changesLayout, layoutGeneration, schemaGeneration } from '../database/schema-generations.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { compareSchema } from './plan/schema-comparison.ts';
import { noteText, type SchemaNote } from './plan/schema-note.ts';
import { planSchema, type SchemaPlan } from './plan/schema-plan.ts';

/** What a start changed in the database; singular names. All empty when it could hold the definitions already. */
export interface SchemaReport {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  /** Those whose search index was made anew. */
  readonly reindexed: readonly string[];
}

/**
 * Makes and extends tables so that the database can hold the definitions, in one transaction. Nothing that is stored is ever
 * lost: fields and types that are no longer defined stay as they are and come back with their values when defined again.
 * Whatever alters or checks stored values is left to `migrateSchema`, and what the stored values do not allow is an error: a
 * `FatalError` lists all such changes of all types, and nothing is changed.
 */
export async function syncSchema(database: Database, types: ContentTypes): Promise<SchemaReport> {
  for (let left = patience; ; left--) {
    if (await isSynced(database, types)) return { created: [], changed: [], reindexed: [] };
    try {
      // Another process may have done it since.
      return await database.transaction((transaction) => syncWithin(transaction, database.dialect, types));
    } catch (error) {
      // One that is at it, on another machine, may need longer than a transaction waits.
      if (!(left > 0 && error instanceof Problem && error.code === 'database_busy')) throw error;
    }
  }
}

/** How often a start waits for others as long as a transaction does, by default 5 seconds. */
const patience = 60;

/** Whether the database can hold the definitions as it is. */
export async function isSynced(database: Database, types: ContentTypes): Promise<boolean> {
  const comparison = await compareSchema(database, types);
  if (comparison !== 'open') return comparison === 'same';
  // A plan may look at all that is stored, which takes longer than other reads may.
  return isCurrent(await database.snapshot((reader) => planSchema(reader, database.dialect, types)));
}

/** As `syncSchema`, within a transaction. */
export async function syncWithin(
  transaction: Transaction,
  dialect: Dialect,
  types: ContentTypes,
): Promise<SchemaReport> {
  const plan = await planSchema(transaction, dialect, types);
  if (plan.notes.some(({ way }) => way !== 'start')) throw new FatalError(refusalText(plan));
  await runPlan(transaction, plan);
  return reportOf(plan);
}

/** What `syncSchema` would change, or why it would fail. Changes nothing. */
export async function previewSchema(
  executor: Executor,
  dialect: Dialect,
  types: ContentTypes,
): Promise<
  SchemaReport & {
    /** Sentences: what cannot be done at all. */
    readonly refusals: readonly string[];
    /** Sentences: what `migrateSchema` is needed for. */
    readonly waiting: readonly string[];
  }
> {
  const plan = await planSchema(executor, dialect, types);
  return { ...reportOf(plan), refusals: sentences(plan, 'refused'), waiting: sentences(plan, 'apply') };
}

/** Whether there is nothing to do. */
export const isCurrent = (plan: SchemaPlan): boolean => plan.steps.length === 0 && plan.notes.length === 0;

/** Runs a plan without refusals, in the transaction in which it was planned. */
export async function runPlan(transaction: Transaction, plan: SchemaPlan): Promise<void> {
  for (const step of plan.steps) await step.run(transaction);
  for (const name of plan.touched) transaction.touch(name);
  for (const { type, stages, restructured } of plan.types) {
    const { drops, renames, makes, moves, ends } = stages;
    // Whoever does not know of a language does not keep what it shows, or in which languages a record has values.
    const isShown = moves.some(({ move }) => move === 'show' || move === 'say');
    const changed = isShown || [...drops, ...renames, ...makes, ...ends].some(changesLayout);
    if (changed || restructured.length > 0) transaction.touch(layoutGeneration(type.singular));
  }
  if (plan.steps.length > 0) transaction.touch(schemaGeneration);
}

export const sentences = ({ notes }: SchemaPlan, way: SchemaNote['way']): readonly string[] =>
  notes.filter((note) => note.way === way).map(noteText);

/** Why a plan cannot be carried out by a start. */
export function refusalText(plan: SchemaPlan): string {
  const [refused, waiting] = [sentences(plan, 'refused'), sentences(plan, 'apply')];
  const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);
  return [
    ...(refused.length === 0
      ? []
      : [
          'The content type definitions do not fit what the database holds; nothing was changed.',
          ...indented(refused),
        ]),
    ...(waiting.length === 0
      ? []
      : [
          'The content type definitions ask for changes of what is stored, which are made only when they are asked for:',
          ...indented(waiting),
          'Run "recto migrate plan" to see them whole, and "recto migrate apply" to make them.',
        ]),
  ].join('\n');
}

export function reportOf(plan: SchemaPlan): SchemaReport {
  const named = (some: SchemaPlan['types']) => some.map(({ type }) => type.singular);
  return {
    created: named(plan.types.filter(({ created }) => created)),
    changed: named(plan.types.filter(({ created }) => !created)),
    reindexed: named(plan.types.filter(({ reindexed }) => reindexed)),
  };
}
