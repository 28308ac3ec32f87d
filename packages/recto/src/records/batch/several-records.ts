import { sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import { isId } from '../../base/ids.ts';
import { type FieldFault, invalid, mostErrors, Problem } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import type { VisibilityParams } from '../../query/read-view.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs } from '../plans/sql-parts.ts';
import { protocolConditions, viewCondition } from '../plans/visibility.ts';
import type { Records } from '../records.ts';
import type { PreparedWrite } from '../write/prepared-write.ts';

/** The change of one of several records, and where the request names it: `ids[3]`, `items[2].id`. */
export interface Step {
  readonly field: string;
  readonly id: string;
  readonly write: PreparedWrite<unknown>;
}

/** The most records that one request changes: they hold up other writers together. */
export const mostSteps = 1000;

/** Whose records are changed, and which of those that protocols hide. */
export interface SeveralRecords {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly among?: VisibilityParams;
}

/**
 * Prepares several writes that are made in one transaction, all or none: 422 with every id that is named twice or is no record's,
 * and with what is wrong with each record.
 */
export function prepareAll(records: Records, several: SeveralRecords, steps: readonly Step[]): PreparedWrite<void> {
  const doubled = doubledFaults(steps);
  return {
    type: several.type,
    view: viewFor('admin', several.caller, records.types),
    async run(transaction) {
      const asked = steps.map(({ id }) => id);
      const known = await knownIds(transaction, records, several, asked);
      const unknown = steps.filter(({ id }) => !known.has(id)).map(({ field }) => unknownFault(field, several.type));
      if (doubled.length + unknown.length > 0) throw invalid([...unknown, ...doubled]);
      await runSteps(transaction, steps);
    },
  };
}

/** Runs the writes of records that there are. A record that another step has taken along (a reply goes with its comment) is done with. */
export async function runSteps(transaction: Transaction, steps: readonly Step[]): Promise<void> {
  const faults: FieldFault[] = [];
  for (const { field, write } of steps) {
    try {
      await write.run(transaction);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.status === 404) continue;
      // The transaction is undone, whatever the other records are like.
      if (error.status !== 422)
        throw new Problem(error.status, error.code, `${field}: ${error.message}`, { cause: error });
      faults.push(...faultsOf(error, field));
      if (faults.length > mostErrors) break;
    }
  }
  if (faults.length > 0) throw invalid(faults);
}

const faultsOf = ({ errors, code, message }: Problem, step: string): readonly FieldFault[] =>
  errors?.map((fault) => ({ ...fault, field: `${step}.${fault.field}` })) ?? [{ field: step, code, message }];

function doubledFaults(steps: readonly Step[]): readonly FieldFault[] {
  const first = new Map<string, string>();
  return steps.flatMap(({ field, id }) => {
    const other = first.get(id);
    if (other === undefined) first.set(id, field);
    return other === undefined ? [] : [{ field, code: 'doubled', message: `The same id as ${other}.` }];
  });
}

const unknownFault = (field: string, type: ContentType): FieldFault => ({
  field,
  code: 'unknown_record',
  message: `There is no such ${type.singular}.`,
});

/** Those of the ids that are records which admin reads show. `among`: which of those that protocols hide, too. */
export async function knownIds(
  transaction: Pick<Transaction, 'rows'>,
  { types, database: { dialect } }: Pick<Records, 'types' | 'database'>,
  { type, caller, among }: { readonly type: ContentType; readonly caller: Caller; readonly among?: VisibilityParams },
  asked: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = asked.filter(isId);
  if (ids.length === 0) return new Set();
  const context = { dialect, authenticated: true, reads: new ReadsCollector() };
  const isNamed = sql<boolean>`${column('t', 'id')} in (${sql.join(ids)})`;
  const right = viewCondition(type, viewFor('admin', caller, types), 'get', 't', context);
  const shown = [...protocolConditions(type, 't', context, 'admin', among), ...(right === undefined ? [] : [right])];
  const conditions = allOf([isNamed, ...shown]);
  const plan = new Plan(sql`select ${column('t', 'id')} from ${tableAs(type.table, 't')} where ${conditions}`, dialect);
  const rows = await transaction.rows<{ id: string }>(plan.bind(new RequestBindings(caller, [])));
  return new Set(rows.map(({ id }) => id));
}
