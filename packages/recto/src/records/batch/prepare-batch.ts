import { invalid } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import type { FilterExpression } from '../../rules/filter-expression.ts';
import type { Records } from '../records.ts';
import type { PreparedWrite } from '../write/prepared-write.ts';
import type { BatchAction, BatchRequest } from './batch-action.ts';
import { matchingIds } from './matching-ids.ts';
import { mostSteps, prepareAll, runSteps } from './several-records.ts';

/** Which records a batch is about. */
export type BatchSelection =
  | { readonly by: 'ids'; readonly ids: readonly string[] }
  | {
      readonly by: 'filter';
      readonly expression: FilterExpression;
      readonly search: readonly string[] | null;
      /** The records and the type in the language that the filter reads; absent: those of the action. */
      readonly shown?: { readonly records: Records; readonly type: ContentType };
    };

/** More records match than one transaction changes. Nothing has been changed. */
export class TooManyRecords extends Error {
  override readonly name = 'TooManyRecords';
}

/**
 * Prepares an action on several records, on all of them or on none; returns how many there are. An error of a record names it by its place
 * among the ids, or by its id. Throws 422 at once for what is wrong with the request whatever the records. Its run throws
 * `TooManyRecords`.
 */
export async function prepareBatch(
  records: Records,
  action: BatchAction,
  request: BatchRequest,
  selection: BatchSelection,
): Promise<PreparedWrite<number>> {
  const { type, caller } = request;
  const { faults, write } = await action.prepare(records, request);
  if (faults.length > 0) throw invalid(faults.map((fault) => ({ ...fault, field: `set.${fault.field}` })));
  const several = { type, caller, among: action.among };
  if (selection.by === 'ids') {
    const { ids } = selection;
    const steps = ids.map((id, place) => ({ field: `ids[${place}]`, id, write: write(id) }));
    const all = prepareAll(records, several, steps);
    return { ...all, run: async (transaction) => all.run(transaction).then(() => ids.length) };
  }
  const shown = selection.shown ?? { records, type };
  const filtered = { ...several, type: shown.type, expression: selection.expression, search: selection.search };
  return {
    type,
    view: viewFor('admin', caller, records.types),
    async run(transaction) {
      const ids = await matchingIds(transaction, shown.records, filtered, { most: mostSteps + 1 });
      if (ids.length > mostSteps) throw new TooManyRecords();
      await runSteps(
        transaction,
        ids.map((id) => ({ field: id, id, write: write(id) })),
      );
      return ids.length;
    },
  };
}
