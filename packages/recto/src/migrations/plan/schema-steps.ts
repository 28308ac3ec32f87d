import type { Query, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { SchemaChange } from '../../database/schema-dialect.ts';
import { moveText, runMove } from '../data/data-move.ts';
import { reindex } from '../data/reindex.ts';
import { forgetType, type RememberedType, rememberType } from '../storage/stored-schema.ts';
import type { TypePlan } from './type-plan.ts';

/** One statement, or one that is run for each of many records. */
export interface SchemaStep {
  /** What a person is shown; a `--` describes what is done to each record. */
  readonly sql: string;
  run(transaction: Transaction): Promise<void>;
}

export interface StepParts {
  readonly plans: readonly TypePlan[];
  /** Tables that go, once nothing refers to them. */
  readonly dropped: { readonly references: readonly SchemaChange[]; readonly tables: readonly SchemaChange[] };
  /** What to store about types, by their singular names; null: nothing. */
  readonly memory: ReadonlyMap<string, RememberedType | null>;
  /** What follows elsewhere. */
  readonly followed: readonly SchemaStep[];
}

/** All steps, in an order in which each finds what it needs. */
export function schemaSteps({ plans, dropped, memory, followed }: StepParts, dialect: Dialect): readonly SchemaStep[] {
  const stages = plans.map((plan) => plan.stages);
  const changes = (some: readonly SchemaChange[]): readonly SchemaStep[] =>
    dialect.schema.statements(some).map((query) => statementStep(query));
  return [
    ...changes([...dropped.references, ...stages.flatMap(({ drops }) => drops)]),
    ...changes(dropped.tables),
    ...changes(stages.flatMap(({ renames }) => renames)),
    ...changes(stages.flatMap(({ makes }) => makes)),
    ...stages.flatMap(({ moves }) =>
      moves.map((move) => ({
        sql: moveText(move, dialect),
        run: (transaction: Transaction) => runMove(transaction, dialect, move),
      })),
    ),
    ...changes(stages.flatMap(({ ends }) => ends)),
    ...plans
      .filter(({ reindexed }) => reindexed)
      .map(({ type }) => ({
        sql: `-- the words of each record of ${type.table} go into its search index`,
        run: (transaction: Transaction) => reindex(transaction, dialect, type),
      })),
    // An index that the planner knows nothing of, beside others that it knows, is taken for a better one than it is.
    ...plans
      .filter(({ created, stages }) => !created && stages.ends.some(({ change }) => change === 'create_list_index'))
      .flatMap(({ type }) => dialect.schema.analyze(type.table).map((query) => statementStep(query))),
    ...followed,
    ...[...memory].map(([singular, remembered]) =>
      statementStep(
        remembered === null ? forgetType(singular, dialect) : rememberType(singular, remembered, dialect),
        `-- what is stored of "${singular}" is noted in recto_schema`,
      ),
    ),
  ];
}

export const statementStep = (query: Query, text: string = query.sql): SchemaStep => ({
  sql: text,
  run: async (transaction) => {
    await transaction.run(query);
  },
});
