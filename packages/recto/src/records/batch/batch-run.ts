import { newId } from '../../base/ids.ts';
import { Problem } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import type { Records } from '../records.ts';
import type { PreparedWrite } from '../write/prepared-write.ts';
import type { BatchAction, BatchRequest, PreparedAction } from './batch-action.ts';
import { matchingIds } from './matching-ids.ts';
import type { BatchSelection } from './prepare-batch.ts';

/** What a record was not changed for. */
export interface BatchError {
  readonly id: string;
  readonly code: string;
  readonly detail: string;
}

/** How far a batch is that is done in several transactions. */
export interface BatchState {
  /** Of a filter: the last id that is done. Of ids: how many are done. */
  readonly after: string | number;
  /** Of a filter: records that were created later are not part of it. */
  readonly until: string;
  readonly affected: number;
  readonly failed: number;
  /** The first errors. */
  readonly errors: readonly BatchError[];
}

export const firstState = ({ by }: BatchSelection): BatchState => ({
  after: by === 'ids' ? 0 : '',
  until: newId(),
  affected: 0,
  failed: 0,
  errors: [],
});

/** Records that one transaction changes. */
const slice = 100;

/** The errors that are kept. */
const mostBatchErrors = 100;

/** Stores how far the batch is, as part of a transaction. */
export type KeepState = (transaction: Transaction, state: BatchState) => Promise<void>;

export interface BatchRun {
  readonly records: Records;
  readonly action: BatchAction;
  readonly prepared: PreparedAction;
  readonly request: BatchRequest;
  readonly selection: BatchSelection;
  readonly keep: KeepState;
}

/**
 * Applies the action to the next records: to all of them in one transaction, or, where that fails, to each in one of its own. Returns the
 * state after that, which has been kept; null where there are no more.
 */
export async function runSlice(run: BatchRun, state: BatchState): Promise<BatchState | null> {
  const ids = await nextIds(run, state);
  const last = ids.at(-1);
  if (last === undefined) return null;
  const after = typeof state.after === 'number' ? state.after + ids.length : last;
  const done = { ...state, after, affected: state.affected + ids.length };
  try {
    await inTransaction(run, async (transaction) => {
      for (const id of ids) await runOne(run, transaction, id);
      await run.keep(transaction, done);
    });
    return done;
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return runEach(run, state, ids);
  }
}

async function runEach(run: BatchRun, from: BatchState, ids: readonly string[]): Promise<BatchState> {
  let state = from;
  for (const id of ids) {
    const after = typeof state.after === 'number' ? state.after + 1 : id;
    try {
      const done = { ...state, after, affected: state.affected + 1 };
      await inTransaction(run, async (transaction) => {
        await runOne(run, transaction, id);
        await run.keep(transaction, done);
      });
      state = done;
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      const errors = [...state.errors, ...errorsOf(id, error)].slice(0, mostBatchErrors);
      const failed = { ...state, after, failed: state.failed + 1, errors };
      await inTransaction(run, (transaction) => run.keep(transaction, failed));
      state = failed;
    }
  }
  return state;
}

const errorsOf = (id: string, { code, message, errors }: Problem): readonly BatchError[] =>
  errors?.map((fault) => ({ id, code: fault.code, detail: `${fault.field}: ${fault.message}` })) ?? [
    { id, code, detail: message },
  ];

const inTransaction = (
  { records, request }: BatchRun,
  work: (transaction: Transaction) => Promise<void>,
): Promise<void> => {
  const { type, caller } = request;
  const write: PreparedWrite<void> = { type, view: viewFor('admin', caller, records.types), run: work };
  return records.runInTransaction(write);
};

async function runOne({ prepared }: BatchRun, transaction: Transaction, id: string): Promise<void> {
  await prepared.write(id).run(transaction);
}

/** The ids that come next. */
async function nextIds(run: BatchRun, { after, until }: BatchState): Promise<readonly string[]> {
  const { records, action, request, selection } = run;
  if (selection.by === 'ids') return selection.ids.slice(Number(after), Number(after) + slice);
  const { type, caller } = request;
  const { expression, search } = selection;
  const shown = selection.shown ?? { records, type };
  const filtered = { type: shown.type, caller, among: action.among, expression, search };
  return matchingIds(null, shown.records, filtered, { after: String(after), until, most: slice });
}
