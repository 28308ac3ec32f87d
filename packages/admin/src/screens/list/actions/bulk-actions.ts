import { RectoError } from '@recto/client';
import { newId } from '../../../api/new-id.ts';
import { noteOwnChange } from '../../../api/own-changes.ts';
import { faultText, problemText } from '../../../api/service-text.ts';
import type { ListedType } from '../data/list-fields.ts';
import type { ListRecord } from '../data/list-record.ts';
import { adminPath, languageQuery, requestedSort } from '../data/list-requests.ts';
import type { ListState } from '../data/list-state.ts';
import type { RectoClient } from '../data/recto-client.ts';

/** What one request changes. */
export const mostAtOnce = 1_000;

/** What is changed by so many requests that it can be taken back. More are changed by a job of the service. */
export const mostUndone = 10_000;

/** What an action is done to: records that were chosen, or all that the list shows. */
export type BulkTarget =
  | { readonly records: readonly ListRecord[] }
  | {
      readonly matching: Pick<ListState, 'filter' | 'search' | 'sort' | 'deleted' | 'language' | 'missing' | 'asOf'>;
      readonly total: number;
    };

export type BulkAction =
  | { readonly action: 'delete' | 'restore' | 'publish' | 'unpublish' | 'archive' }
  | { readonly action: 'purge' }
  | { readonly action: 'update'; readonly set: Readonly<Record<string, unknown>> };

export interface BulkParts {
  readonly client: RectoClient;
  readonly type: ListedType;
  /** The language that the list shows; absent: the default. */
  readonly language?: string;
  /** Deleted records can be restored. */
  readonly isSoft: boolean;
  /** The field with the status; undefined where there is none. */
  readonly statusField: string | undefined;
  /** The field with the time at which the status changes by itself; undefined where there is none. */
  readonly scheduleField: string | undefined;
  /** Shows how far a long change is. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** Between two looks at a job; for tests. */
  readonly pause?: () => Promise<void>;
}

export interface BulkResult {
  readonly affected: number;
  /** How many could not be changed, and why the first. */
  readonly failed: number;
  readonly reason: string | undefined;
  /** Takes it back; undefined where that cannot be done. Resolves to the records that stay as they are now, because they have been changed since. */
  readonly undo: (() => Promise<readonly ListRecord[]>) | undefined;
}

/** More records match than can be changed one by one. */
export class TooManyFound extends Error {
  override readonly name = 'TooManyFound';
}

/** Does it, and says how it is undone. */
export async function runBulk(parts: BulkParts, action: BulkAction, target: BulkTarget): Promise<BulkResult> {
  if ('records' in target) return changeRecords(parts, action, target.records);
  const { matching, total } = target;
  // No filter says what a language lacks, or what will be at a time.
  const hasNoFilter = action.action === 'purge' || matching.missing !== '' || matching.asOf !== '';
  const isExact = total <= mostAtOnce || (total <= mostUndone && isUndone(parts, action));
  return hasNoFilter || isExact
    ? changeRecords(parts, action, await loadAll(parts, matching))
    : changeMatching(parts, action, matching);
}

/** Whether there is a way back from an action on records whose ids are known. */
export const isUndone = (parts: Pick<BulkParts, 'isSoft'>, { action }: BulkAction): boolean =>
  action !== 'purge' && (action !== 'delete' || parts.isSoft);

/** All records that the list shows, as far as they can be changed at once. */
async function loadAll(
  { client, type, signal }: BulkParts,
  state: Extract<BulkTarget, { matching: unknown }>['matching'],
) {
  const sort = requestedSort(state, type);
  const found: ListRecord[] = [];
  const records = client.admin.collection(type.plural).all({
    ...(state.filter === '' ? {} : { filter: state.filter }),
    ...(state.search === '' ? {} : { search: state.search }),
    ...(signal === undefined ? {} : { signal }),
    query: {
      ...(sort === undefined ? {} : { sort }),
      ...(state.deleted ? { deleted: 'only' } : {}),
      ...languageQuery(state),
    },
  });
  for await (const record of records) {
    if (found.length >= mostUndone) throw new TooManyFound();
    // Every record has an id.
    found.push(record as unknown as ListRecord);
  }
  return found;
}

/** Changes them, in requests of which each is done as a whole or not at all. One that is refused ends it: what was done can be taken back. */
async function changeRecords(
  parts: BulkParts,
  action: BulkAction,
  records: readonly ListRecord[],
): Promise<BulkResult> {
  if (records.length === 0) return { affected: 0, failed: 0, reason: undefined, undo: undefined };
  if (action.action === 'purge') return purge(parts, idsOf(records));
  const names = changedFields(parts, action);
  const done: ListRecord[] = [];
  // What the action has made of the fields: what is another value later, somebody else has written. Without it, there is no way back.
  let made: ReadonlyMap<string, ListRecord> | undefined = new Map();
  let refusal: unknown;
  for (const some of portionsOf(records)) {
    try {
      // As they are now, and not as the list has shown them a while ago, perhaps in another language.
      const before = names.length === 0 ? undefined : await presentRecords(parts, some, names);
      await batch(parts, { ...action, ids: idsOf(some) });
      done.push(...some.map((record) => ({ ...record, ...before?.get(record.id) })));
    } catch (error) {
      if (done.length === 0) throw error;
      refusal = error;
      break;
    }
    const left = names.length === 0 ? new Map() : await presentRecords(parts, some, names).catch(() => undefined);
    made = made && left && new Map([...made, ...left]);
    if (records.length > mostAtOnce) parts.onProgress?.(done.length, records.length);
  }
  const setAllBack = made && (() => setBack(parts, names, done, made));
  return {
    ...{
      affected: done.length,
      failed: records.length - done.length,
      reason: refusal === undefined ? undefined : reasonFor(refusal),
    },
    undo: names.length === 0 ? undoOf(parts, action, done) : setAllBack,
  };
}

const idsOf = (records: readonly ListRecord[]): readonly string[] => records.map(({ id }) => id);

/** As many at a time as one request changes. */
function portionsOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / mostAtOnce);
  return Array.from({ length: count }, (_, index) => all.slice(index * mostAtOnce, (index + 1) * mostAtOnce));
}

async function batchAll(parts: BulkParts, body: Batch, ids: readonly string[]): Promise<void> {
  for (const some of portionsOf(ids)) await batch(parts, { ...body, ids: some });
}

const reasonFor = (error: unknown): string =>
  error instanceof RectoError ? problemText(error) : error instanceof Error ? error.message : String(error);

/** The fields that an action changes; none for what is not given back field by field. */
function changedFields({ statusField, scheduleField }: BulkParts, action: BulkAction): readonly string[] {
  const names = new Set(action.action === 'update' ? Object.keys(action.set) : []);
  const movesStatus = action.action === 'publish' || action.action === 'unpublish' || action.action === 'archive';
  if (movesStatus && statusField !== undefined) names.add(statusField);
  // A change of the status ends its schedule.
  if (statusField !== undefined && scheduleField !== undefined && names.has(statusField)) names.add(scheduleField);
  return [...names];
}

function undoOf(parts: BulkParts, { action }: BulkAction, records: readonly ListRecord[]): BulkResult['undo'] {
  if (action === 'restore') return () => deleteAgain(parts, records);
  return action === 'delete' && parts.isSoft ? () => restore(parts, records) : undefined;
}

/** Restores those that are deleted still. */
async function restore(parts: BulkParts, records: readonly ListRecord[]): Promise<readonly ListRecord[]> {
  const deleted = await presentRecords(parts, records, [], 'deleted');
  const found = records.filter(({ id }) => deleted.has(id));
  await batchAll(parts, { action: 'restore' }, idsOf(found));
  return records.filter(({ id }) => !deleted.has(id));
}

/** Deletes those that are there still. */
async function deleteAgain(parts: BulkParts, records: readonly ListRecord[]): Promise<readonly ListRecord[]> {
  const present = await presentRecords(parts, records, []);
  const found = records.filter(({ id }) => present.has(id));
  await batchAll(parts, { action: 'delete' }, idsOf(found));
  return records.filter(({ id }) => !present.has(id));
}

/**
 * Gives fields the values that records had, of those that are as the action has left them: one batch for the records that had equal ones.
 * Returns the others.
 */
async function setBack(
  parts: BulkParts,
  names: readonly string[],
  records: readonly ListRecord[],
  made: ReadonlyMap<string, ListRecord>,
): Promise<readonly ListRecord[]> {
  const present = await presentRecords(parts, records, names);
  const isAsLeft = ({ id }: ListRecord): boolean => {
    const [left, now] = [made.get(id), present.get(id)];
    return left !== undefined && now !== undefined && names.every((name) => same(left[name], now[name]));
  };
  const now = new Date().toISOString();
  const earlier = (record: ListRecord, name: string): unknown => {
    const value = stored(record[name]);
    // A time that is past would change the status at once.
    return name === parts.scheduleField && typeof value === 'string' && value <= now ? null : value;
  };
  const groups = new Map<string, { readonly set: Record<string, unknown>; readonly ids: string[] }>();
  for (const record of records.filter(isAsLeft)) {
    const set = Object.fromEntries(names.map((name) => [name, earlier(record, name)]));
    const key = JSON.stringify(set);
    const group = groups.get(key) ?? { set, ids: [] };
    group.ids.push(record.id);
    groups.set(key, group);
  }
  for (const { set, ids } of groups.values()) await batchAll(parts, { action: 'update', set }, ids);
  return records.filter((record) => !isAsLeft(record));
}

const same = (a: unknown, b: unknown): boolean =>
  JSON.stringify(stored(a) ?? null) === JSON.stringify(stored(b) ?? null);

/** Ids that one request asks for. */
const idsAtOnce = 100;

/** What records hold now in some fields, by their ids, in the language that is changed; those that are not found are left out. */
async function presentRecords(
  { client, type, signal, language }: BulkParts,
  records: readonly ListRecord[],
  names: readonly string[],
  which: 'present' | 'deleted' = 'present',
): Promise<ReadonlyMap<string, ListRecord>> {
  const found = new Map<string, ListRecord>();
  for (let start = 0; start < records.length; start += idsAtOnce) {
    const ids = records.slice(start, start + idsAtOnce).map(({ id }) => id);
    const page = await client.admin.collection(type.plural).list({
      ...{ filter: `id in ${JSON.stringify(ids)}`, page_size: idsAtOnce, skip_total: true },
      ...(signal === undefined ? {} : { signal }),
      // No other language stands in: what that says is not what is given back.
      ...(language === undefined ? {} : { language }),
      query: { fields: ['id', ...names].join(), ...(which === 'deleted' ? { deleted: 'only' } : {}) },
    });
    // Every record has an id.
    for (const record of page.items as unknown as readonly ListRecord[]) found.set(record.id, record);
  }
  return found;
}

/** A relation that was included is sent back as its id. */
const stored = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value;

/** There is no batch that removes for good: each record has an address of its own. */
async function purge({ client, type, onProgress }: BulkParts, ids: readonly string[]): Promise<BulkResult> {
  const collection = client.admin.collection(type.plural);
  const failures: unknown[] = [];
  let done = 0;
  const queue = [...ids];
  const work = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      await collection.purge(id).catch((error) => failures.push(error));
      done += 1;
      onProgress?.(done, ids.length);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  const [first] = failures;
  if (failures.length === ids.length) throw first;
  const reason = first === undefined ? undefined : reasonFor(first);
  return { affected: ids.length - failures.length, failed: failures.length, reason, undo: undefined };
}

interface Batch {
  readonly action: string;
  readonly ids?: readonly string[];
  readonly filter?: string;
  readonly set?: Readonly<Record<string, unknown>>;
}

interface BatchAnswer {
  readonly affected?: number;
  readonly job?: string;
}

function batch({ client, type, signal, language }: BulkParts, body: Batch): Promise<BatchAnswer> {
  noteOwnChange(type.plural, body.ids ?? []);
  // The list shows what stands in for what is missing, and so does its filter.
  const shown = body.filter === undefined ? {} : { fallback: true };
  const query = language === undefined ? {} : { query: { language, ...shown } };
  // An answer can take as long as 1,000 records take.
  const options = { body, timeout: 120_000, headers: { 'Idempotency-Key': newId() }, ...query };
  return client.request('POST', `${adminPath(type)}/batch`, signal === undefined ? options : { ...options, signal });
}

/** Holds for every record: a batch needs a filter. */
const everyRecord = 'id != null';

/** More than are changed at once: by a filter, as a job. */
async function changeMatching(
  parts: BulkParts,
  action: Exclude<BulkAction, { readonly action: 'purge' }>,
  { filter, search }: Pick<ListState, 'filter' | 'search'>,
): Promise<BulkResult> {
  const since = action.action === 'delete' && parts.isSoft ? await lastDeletion(parts) : undefined;
  const answer = await batch(parts, { ...action, filter: filter || everyRecord, ...searching(search) });
  const ended =
    answer.job === undefined
      ? { affected: answer.affected ?? 0, failed: 0, reason: undefined }
      : await jobEnd(parts, answer.job);
  const undo =
    action.action === 'delete' && parts.isSoft ? () => restoreSince(parts, { filter, search }, since) : undefined;
  return { ...ended, undo };
}

/** When the newest of the deleted records was deleted, by the service's clock; null for none. */
async function lastDeletion({ client, type }: BulkParts): Promise<string | null> {
  const query = { deleted: 'only', sort: 'deleted_at:desc' };
  const { items } = await client.admin.collection(type.plural).list({ page_size: 1, skip_total: true, query });
  const deletedAt = items[0]?.deleted_at;
  return typeof deletedAt === 'string' ? deletedAt : null;
}

/** Restores what this account has deleted since then, of what the filter finds. */
async function restoreSince(
  parts: BulkParts,
  { filter, search }: Pick<ListState, 'filter' | 'search'>,
  since: string | null | undefined,
): Promise<readonly ListRecord[]> {
  const conditions = [
    filter === '' ? '' : `(${filter}\n)`,
    'deleted_by = @request.auth.id',
    since ? `deleted_at > "${since}"` : '',
  ];
  const answer = await batch(parts, {
    ...{ action: 'restore', filter: conditions.filter(Boolean).join(' && ') },
    ...searching(search),
  });
  if (answer.job !== undefined) await jobEnd(parts, answer.job);
  return [];
}

const searching = (search: string) => (search === '' ? {} : { search });

interface JobState {
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress: { readonly done: number; readonly total: number | null } | null;
  readonly result: {
    readonly affected?: number;
    readonly failed?: number;
    readonly errors?: readonly { readonly code: string; readonly detail: string }[];
  } | null;
  readonly error: string | null;
}

const usualPause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 700));

const reasonOf = ({ code, detail }: { readonly code: string; readonly detail: string }): string =>
  faultText({ field: '', code, message: detail });

async function jobEnd(parts: BulkParts, id: string): Promise<Omit<BulkResult, 'undo'>> {
  const { client, signal, onProgress, pause = usualPause } = parts;
  for (;;) {
    signal?.throwIfAborted();
    const job = await client.request<JobState>('GET', `/admin/jobs/${id}`);
    const { progress, result } = job;
    if (progress !== null) onProgress?.(progress.done, progress.total ?? progress.done);
    if (job.state === 'done') {
      const [first] = result?.errors ?? [];
      return { affected: result?.affected ?? 0, failed: result?.failed ?? 0, reason: first && reasonOf(first) };
    }
    if (job.state !== 'queued' && job.state !== 'running')
      throw new RectoError(0, { code: 'job_failed', detail: job.error ?? job.state }, undefined);
    await pause();
  }
}
