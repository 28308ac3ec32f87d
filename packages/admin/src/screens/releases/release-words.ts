import { adminPath } from '../../api/admin-path.ts';
import { languagesOf } from '../../api/content-languages.ts';
import { contentTypes } from '../../api/content-types.svelte.ts';
import { fieldLabel } from '../../api/field-label.ts';
import { languageLabel } from '../../api/language-name.ts';
import { permissions } from '../../api/permissions.svelte.ts';
import { readableName } from '../../api/readable-name.ts';
import { recordPath, recordTitle, titleField } from '../../api/record-title.ts';
import type { ItemAction, ReleaseItem, ReleaseProblem, ReleaseStatus } from '../../api/release-routes.ts';
import { session } from '../../app/session.svelte.ts';
import { type MessageKey, t } from '../../text/text.ts';

export const statusLabels: Readonly<Record<ReleaseStatus, MessageKey>> = {
  open: 'releases.open',
  scheduled: 'releases.scheduled',
  publishing: 'releases.publishing',
  done: 'releases.done',
  failed: 'releases.failed',
};

export const statusKinds = {
  open: 'neutral',
  scheduled: 'accent',
  publishing: 'accent',
  done: 'success',
  failed: 'danger',
} as const satisfies Record<ReleaseStatus, string>;

export const actionLabels: Readonly<Record<ItemAction, MessageKey>> = {
  publish: 'releases.publish',
  unpublish: 'releases.unpublish',
  archive: 'releases.archive',
  delete: 'releases.delete',
};

/** The names of the fields that an item changes. */
export function changedLabels({ type: singular, changes }: ReleaseItem): readonly string[] {
  const type = contentTypes.bySingular(singular);
  const labelOf = (name: string): string => {
    const field = type?.fields.find((each) => each.name === name);
    return type === undefined || field === undefined ? readableName(name) : fieldLabel(type, field);
  };
  return Object.keys(changes).map(labelOf);
}

/** The page of a record in a language; of a problem, at its field. Undefined where the record is not there yet, or its type is not served. */
export function pageOf(
  { type: singular, record, language }: Pick<ReleaseItem, 'type' | 'record' | 'language'>,
  field = '',
): string | undefined {
  const type = contentTypes.bySingular(singular);
  if (type === undefined || record === null) return undefined;
  const query = new URLSearchParams();
  if (language !== null && language !== languagesOf(type)[0]) query.set('language', language);
  if (field !== '') query.set('field', field);
  return `${recordPath(type, record)}${query.size === 0 ? '' : `?${query}`}`;
}

/** What kind of record an item is about, and in which language: "Article · German". */
export function itemDetail({ type: singular, language }: ReleaseItem): string {
  const name = contentTypes.bySingular(singular)?.name ?? readableName(singular);
  return language === null ? name : `${name} · ${languageLabel(language)}`;
}

/** Ids that one request asks for. */
const most = 100;

/** What the records of items are called, by their ids; those that are gone are left out. */
export async function titlesOf(
  items: readonly ReleaseItem[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  for (const [singular, of] of Map.groupBy(items, ({ type }) => type)) {
    const type = contentTypes.bySingular(singular);
    const name = type === undefined ? undefined : titleField(type);
    if (type === undefined || name === undefined || !permissions.lists(singular)) continue;
    const ids = of.flatMap(({ record }) => record ?? []);
    for (let start = 0; start < ids.length; start += most) {
      const filter = `id in ${JSON.stringify(ids.slice(start, start + most))}`;
      const query = { filter, fields: `id,${name}`, page_size: most, skip_total: true };
      const page = await session.client.request<{ readonly items: readonly Readonly<Record<string, unknown>>[] }>(
        'GET',
        adminPath(type),
        { query, signal },
      );
      for (const record of page.items) titles.set(String(record.id), recordTitle(type, record) ?? String(record.id));
    }
  }
  return titles;
}

/** What an item's record is called: by its new content, as it is now, or by its type. */
export function itemTitle(item: ReleaseItem, titles: ReadonlyMap<string, string>): string {
  const type = contentTypes.bySingular(item.type);
  const known = item.record === null ? undefined : titles.get(item.record);
  const own = type === undefined ? undefined : recordTitle(type, item.changes);
  return known ?? own ?? t('releases.untitled', { type: type?.name ?? readableName(item.type) });
}

/** Where a problem is, in words: the record's name, and the field's. */
export function problemPlace(
  problem: ReleaseProblem,
  items: readonly ReleaseItem[],
  titles: ReadonlyMap<string, string>,
): string | undefined {
  const item = items.find(({ id }) => id === problem.item);
  if (item === undefined) return undefined;
  const [name = ''] = /^[^.[]*/.exec(problem.field) ?? [];
  const [label] = name === '' ? [] : changedLabels({ ...item, changes: { [name]: null } });
  const named = itemTitle(item, titles);
  const title = item.language === null ? named : `${named} · ${languageLabel(item.language)}`;
  return label === undefined ? title : `${title} · ${label}`;
}
