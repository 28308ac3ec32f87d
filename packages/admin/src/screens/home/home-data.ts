import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { recordPath, recordTitle } from '../../api/record-title.ts';
import { pluralName } from '../../app/type-names.ts';
import type { ChangedRecord, Reading } from './changed-record.ts';
import { draftsBy } from './home-drafts.ts';

interface LoggedEvent {
  readonly seq: number;
  readonly type: string;
  readonly record: string;
  readonly action: string;
  readonly actor: { readonly id: string | null; readonly kind: string } | null;
  readonly at: string;
  readonly request_id: string | null;
  readonly via: string | null;
}

/** Records that an account has changed lately, newest first. */
export const recentlyBy = async (
  reading: Reading,
  account: string,
  limit: number,
): Promise<readonly ChangedRecord[]> => {
  const [logged, drafts] = await Promise.all([events(reading, { actor: account }), draftsBy(reading, account)]);
  const drafted = new Set(drafts.map(({ path }) => path));
  const changes = distinct(oneByOne(logged), reading.types).filter(({ path }) => !drafted.has(path));
  const written = (await titled(reading, changes.slice(0, 2 * limit))).filter(({ isGone }) => !isGone);
  return [...drafts, ...written].toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, limit);
};

/** Records that others have changed lately, newest first. */
export const recentlyByOthers = async (
  reading: Reading,
  account: string,
  limit: number,
): Promise<readonly ChangedRecord[]> => {
  const others = (await events(reading, {})).filter(({ actor }) => actor?.id !== account);
  const all = others.filter((one) => !isMadeByVisit(one, reading.types));
  return titled(reading, distinct(all, reading.types).slice(0, limit));
};

/** The one record of a single type is made by the first who asks for it. Nobody has written it. */
const isMadeByVisit = ({ type, action }: LoggedEvent, types: readonly ContentTypeInfo[]): boolean =>
  action === 'create' && types.some(({ singular, kind }) => singular === type && kind === 'single');

/** A request that changes so many records is a batch. A hook may write a few beside the one that is saved. */
const many = 4;

/** Without what nobody has written one by one. */
function oneByOne(all: readonly LoggedEvent[]): readonly LoggedEvent[] {
  const records = new Map<string | null, Set<string>>();
  for (const { request_id, record } of all) records.set(request_id, (records.get(request_id) ?? new Set()).add(record));
  // Jobs write under the name of who asked for them: those that answer no request, and imports.
  return all.filter(
    ({ request_id, via }) => via !== 'import' && request_id !== null && (records.get(request_id)?.size ?? 0) < many,
  );
}

async function events({ client, signal }: Reading, query: Readonly<Record<string, string>>) {
  const page = await client.request<{ readonly items: readonly LoggedEvent[] }>('GET', '/admin/events', {
    query: { limit: 200, ...query },
    signal,
  });
  return page.items;
}

type Change = Omit<ChangedRecord, 'title' | 'isGone'>;

/** Comments are left out: they have a queue. So are files: pictures of a text would take the place of what is written. */
function distinct(all: readonly LoggedEvent[], types: readonly ContentTypeInfo[]): readonly Change[] {
  const written = types.filter(
    ({ source, singular }) => source !== 'built_in' || !['comment', 'media'].includes(singular),
  );
  const known = new Map(written.map((type) => [type.singular, type]));
  const found = new Map<string, Change>();
  for (const { type: singular, record: id, action, at, actor, via } of all) {
    const type = known.get(singular);
    const key = `${singular} ${id}`;
    if (type === undefined || found.has(key)) continue;
    const done = via === 'import' ? 'import' : action;
    found.set(key, { type, id, action: done, at, actor: actor?.id ?? null, path: recordPath(type, id) });
  }
  return [...found.values()];
}

/** With the records' titles: one request for each type. A single type has one record. */
async function titled({ client, signal }: Reading, changes: readonly Change[]): Promise<readonly ChangedRecord[]> {
  const byType = Map.groupBy(changes, ({ type }) => type);
  const titles = new Map<string, string | undefined>();
  await Promise.all(
    [...byType].map(async ([type, own]) => {
      const ids = own.map(({ id }) => JSON.stringify(id)).join(', ');
      const options = { filter: `id in [${ids}]`, page_size: 100, skip_total: true, signal };
      const { items } = await client.admin.collection(type.plural).list(options);
      for (const record of items) titles.set(`${type.singular} ${record.id}`, recordTitle(type, record));
    }),
  );
  return changes.map((change) => {
    const key = `${change.type.singular} ${change.id}`;
    return { ...change, title: titles.get(key), isGone: !titles.has(key) };
  });
}

/** Records that wait for somebody. */
export interface Waiting {
  readonly kind: 'drafts' | 'scheduled' | 'comments';
  readonly label: string;
  readonly count: number;
  readonly path: string;
}

/** The types that are looked at: each is a request. */
const mostTypes = 16;

/** Drafts and scheduled records by type, and comments that nobody has decided on. Nothing that is zero. */
export async function waiting({ client, types, signal }: Reading): Promise<readonly Waiting[]> {
  const count = async (plural: string, filter: string): Promise<number> =>
    (await client.admin.collection(plural).list({ filter, page_size: 1, signal })).total;
  const content = types.filter(({ kind }) => kind === 'collection');
  const asked: Promise<Waiting>[] = [];
  const ask = (kind: Waiting['kind'], type: ContentTypeInfo, filter: string): void => {
    const path = kind === 'comments' ? '/comments' : `/content/${type.plural}?filter=${encodeURIComponent(filter)}`;
    asked.push(count(type.plural, filter).then((found) => ({ kind, label: pluralName(type), count: found, path })));
  };
  for (const type of content.filter(hasStatus).slice(0, mostTypes)) {
    if (type.singular === 'comment') ask('comments', type, 'status = "Pending"');
    else {
      const draft = draftStatus(type);
      if (draft !== undefined) ask('drafts', type, `status = ${JSON.stringify(draft)}`);
      if (type.fields.some(({ name }) => name === 'scheduled_at')) ask('scheduled', type, 'scheduled_at != null');
    }
  }
  const found = await Promise.all(asked);
  return found.filter((each) => each.count > 0);
}

const hasStatus = ({ fields }: ContentTypeInfo): boolean => fields.some(({ name }) => name === 'status');

/** What drafts of a type have as their status; undefined where none is called so. */
export function draftStatus({ source, definition }: ContentTypeInfo): string | undefined {
  if (source === 'built_in') return 'Draft';
  const declared = definition.fields?.find(({ name }) => name === 'status')?.enum_values;
  const options = definition.protocols?.map((each): unknown => each).find((each) => nameOf(each) === 'statusable');
  if (declared === undefined && options === undefined) return undefined;
  const values = declared ?? (Object(options).values as unknown) ?? ['draft'];
  return Array.isArray(values) ? values.find((value) => /^draft$/i.test(String(value))) : undefined;
}

const nameOf = (protocol: unknown): unknown => (typeof protocol === 'string' ? protocol : Object(protocol).name);

export interface Broken {
  readonly kind: 'webhooks' | 'jobs';
  readonly count: number;
  readonly path: string;
}

interface Webhooks {
  readonly items: readonly { readonly enabled: boolean; readonly disabled_reason: string | null }[];
}

/** What an admin should look at: webhooks that the service has switched off, and jobs that have failed. */
export async function broken({ client, signal }: Reading, isInstallationAdmin: boolean): Promise<readonly Broken[]> {
  const [jobs, webhooks] = await Promise.all([
    client.request<{ readonly total: number }>('GET', '/admin/jobs', {
      query: { state: 'failed', page_size: 1 },
      signal,
    }),
    isInstallationAdmin
      ? client.request<Webhooks>('GET', '/admin/webhooks', { query: { page_size: 100 }, signal })
      : { items: [] },
  ]);
  const off = webhooks.items.filter(({ enabled, disabled_reason }) => !enabled && disabled_reason !== null);
  const all: readonly Broken[] = [
    { kind: 'webhooks', count: off.length, path: '/webhooks' },
    { kind: 'jobs', count: jobs.total, path: '/jobs?state=failed' },
  ];
  return all.filter(({ count }) => count > 0);
}
