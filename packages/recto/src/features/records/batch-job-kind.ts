import type { AuthServices } from '../../auth/auth-services.ts';
import { currentCaller } from '../../auth/current-caller.ts';
import type { Caller } from '../../base/caller.ts';
import { type JobKind, JobRejected, type JobWork, jobKind } from '../../jobs/job-kind.ts';
import { batchActionsOf } from '../../records/batch/batch-action.ts';
import { type BatchRun, type BatchState, firstState, runSlice } from '../../records/batch/batch-run.ts';
import { countMatching } from '../../records/batch/matching-ids.ts';
import type { BatchSelection } from '../../records/batch/prepare-batch.ts';
import type { Records } from '../../records/records.ts';
import { type BatchJob, batchJobType } from './batch-job.ts';
import { type BatchLanguage, batchLanguage, batchSelection, writtenBy } from './batch-language.ts';

interface BatchParts {
  readonly records: Records;
  readonly auth: AuthServices;
}

/** What is kept between attempts. */
interface Kept {
  readonly state: BatchState;
  readonly total: number;
}

/** Batches on more records than one transaction changes: a few at a time, with the rights that their maker has then. */
export const batchJobKind = (parts: BatchParts): JobKind =>
  jobKind(batchJobType, async (work) => {
    const { payload, signal } = work;
    const selection = selectionOf(payload, (await partsOf(parts, payload)).language);
    let { state, total } = keptIn(work) ?? (await begin(parts, payload, selection));
    for (;;) {
      signal.throwIfAborted();
      const run = await prepareRun(parts, work, selection, total);
      const next = await runSlice(run, state);
      if (next === null) break;
      state = next;
      total = Math.max(total, doneOf(state));
    }
    const { affected, failed, errors } = state;
    return { result: { action: payload.action, affected, failed, errors: errors.map((error) => ({ ...error })) } };
  });

const doneOf = ({ affected, failed }: BatchState): number => affected + failed;

/** What an earlier attempt kept, which only this kind writes. */
const keptIn = ({ checkpoint }: JobWork): Kept | null => checkpoint as Kept | null;

async function begin(parts: BatchParts, payload: BatchJob, selection: BatchSelection): Promise<Kept> {
  const state = firstState(selection);
  if (selection.by === 'ids') return { state, total: selection.ids.length };
  const { action, language } = await partsOf(parts, payload);
  const { records, type, caller } = language.shown;
  const { expression, search } = selection;
  return {
    state,
    total: await countMatching(records, { type, caller, expression, search, among: action.among }),
  };
}

async function prepareRun(
  parts: BatchParts,
  work: JobWork<BatchJob>,
  selection: BatchSelection,
  total: number,
): Promise<BatchRun> {
  const { action, written } = await partsOf(parts, work.payload);
  const { records, type, caller } = written;
  const request = { type, caller, set: work.payload.set };
  const prepared = await action.prepare(records, request);
  const [fault] = prepared.faults;
  if (fault !== undefined) throw new JobRejected(`${fault.field}: ${fault.message}`);
  return {
    ...{ records, action, prepared, request, selection },
    keep: (transaction, state) => {
      const done = doneOf(state);
      const checkpoint = { state: { ...state, errors: state.errors.map((error) => ({ ...error })) }, total };
      return work.keep(transaction, { progress: { done, total: Math.max(total, done) }, checkpoint });
    },
  };
}

/** The type, the action and the caller, as they are now: definitions and rights may have changed since. */
async function partsOf(
  { records, auth }: BatchParts,
  { type: singular, action: name, caller: by, language: tag, fallback }: BatchJob,
) {
  const type = records.types.find(singular);
  const action = type === undefined ? undefined : batchActionsOf(type).get(name);
  if (type === undefined || action === undefined) throw new JobRejected(`${singular} has no ${name} any more.`);
  const found = await currentCaller(auth, by);
  // In another tenant, or in none, the same filter would select records that it was not about.
  if (found === undefined || found.role === 'member' || found.tenant !== by.tenant) {
    throw new JobRejected('Whoever asked for it may not do it any more.');
  }
  const caller: Caller = by.visited === undefined ? found : { ...found, visited: by.visited };
  const whole = { type, records, caller };
  const language = languageOf(whole, tag, fallback === true);
  return { action, language, written: writtenBy(action, language, whole) };
}

/** The language may be gone since, or the type's localized fields. */
function languageOf(whole: BatchLanguage['shown'], tag: string | undefined, fallback: boolean): BatchLanguage {
  const known = tag !== undefined && whole.records.types.languages.find(tag) !== undefined;
  const language = batchLanguage(whole, known ? `language=${tag}&fallback=${fallback}` : '');
  if (language.tag !== tag) throw new JobRejected(`${whole.type.singular} has no language ${tag} any more.`);
  return language;
}

function selectionOf({ ids, filter, search }: BatchJob, language: BatchLanguage): BatchSelection {
  if (ids !== undefined) return { by: 'ids', ids: [...new Set(ids)] };
  return batchSelection({ filter: filter ?? '', ...(search === undefined ? {} : { search }) }, language);
}
