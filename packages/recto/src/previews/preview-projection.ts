import type { AuthenticatedCaller } from '../base/caller.ts';
import type { ContentType } from '../definition/content-type.ts';
import { publishedStateOf } from '../definition/published-state.ts';
import { draftIn, draftsOf } from '../records/drafts/draft.ts';
import type { Projection } from '../records/projected/projection.ts';
import type { ShownChange } from '../records/projected/publish-for-reads.ts';
import type { Records } from '../records/records.ts';
import { statePayload } from '../releases/item-action.ts';
import type { ReleaseItem } from '../releases/release.ts';
import type { PreparedRun } from '../releases/release-run.ts';
import type { Releases } from '../releases/releases.ts';
import type { Preview } from './preview.ts';
import { maySeePublished, readsDraftsOf } from './preview-rights.ts';

/** What a projection is made with. */
export interface ProjectionParts {
  readonly records: Records;
  /** Loaded when it is first used. */
  readonly releases: () => Promise<Releases>;
}

/** A preview, with who has made it and has the rights to it now. */
export interface LivePreview {
  readonly preview: Preview;
  readonly maker: AuthenticatedCaller;
  readonly type: ContentType;
}

/** A public read that is to be answered. */
export interface AskedRead {
  /** The singular of the type that it reads. */
  readonly type: string;
  readonly search: string;
}

/** The most records of one type that a preview of the whole site shows as published. */
export const mostShown = 500;

/** How records are to be shown to a read. */
export async function projectionOf(
  parts: ProjectionParts,
  live: LivePreview,
  asked: AskedRead,
): Promise<Projection<Records>> {
  const { preview } = live;
  const items = preview.release === null ? undefined : await itemsOf(parts, live, preview.release);
  if (preview.scope === 'site') return siteProjection(parts, live, asked, items);
  const only = { type: preview.type, id: preview.record };
  // Of another type there is nothing to show.
  if (asked.type !== preview.type) return { only };
  // Each language of the record can have one.
  const own = items?.filter(({ id, record }) => (record ?? id) === preview.record) ?? [];
  if (own.length === 0) return recordProjection(parts, live, only);
  if (own.some(({ record }) => record === null)) return { only, change: runOf(await prepared(parts, live, own)) };
  if (own.some(({ action, language }) => action === 'delete' && language === null))
    return { only: { ...only, type: '' } };
  const [removed, changed] = [own.filter(isRemoval), own.filter((item) => !isRemoval(item))];
  const run = removed.length === 0 ? undefined : runOf(await prepared(parts, live, removed));
  const shown = { ...only, withDraft: false, changes: changed.map((item) => changeOf(live.type, item)) };
  return {
    only,
    async change(transaction, records) {
      await run?.(transaction, records);
      await records.publishForReads(transaction, shown);
    },
  };
}

const isRemoval = ({ action }: ReleaseItem): boolean => action === 'delete';

/** What a record gets of an item. */
function changeOf(type: ContentType, { language, action, changes }: ReleaseItem): ShownChange {
  const { [publishedStateOf(type.protocols)?.column ?? '']: status } = statePayload(type, action);
  return { language, values: changes, ...(typeof status === 'string' ? { status } : {}) };
}

/** One record with its draft, published. */
async function recordProjection(
  { records }: ProjectionParts,
  { maker, type }: LivePreview,
  only: { readonly type: string; readonly id: string },
): Promise<Projection<Records>> {
  const withDraft = readsDraftsOf(maker, type, records.types);
  if (await isSoAlready(records, type, only.id)) return { only };
  return { only, change: (transaction, own) => own.publishForReads(transaction, { ...only, withDraft }) };
}

/** Whether a record is published and has no draft, so that nothing need be changed to show it so. */
async function isSoAlready(records: Records, type: ContentType, id: string): Promise<boolean> {
  // Other languages have drafts and states of their own.
  if (type.languages !== undefined) return false;
  const record = await records.find(records.database, type, id);
  if (record === undefined) return true;
  const state = publishedStateOf(type.protocols);
  const drafts = draftsOf(type);
  const isPublished = state === undefined || record[state.column] === state.value;
  return isPublished && (drafts === undefined || draftIn(drafts, record) === null);
}

/** Everything that waits to be published, or all of a release. */
async function siteProjection(
  parts: ProjectionParts,
  live: LivePreview,
  asked: AskedRead,
  items: readonly ReleaseItem[] | undefined,
): Promise<Projection<Records>> {
  if (items !== undefined) return { change: runOf(await prepared(parts, live, items)) };
  const { preview, maker } = live;
  const types = concerned(parts.records, asked).filter((type) => maySeePublished(maker, type, parts.records.types));
  return {
    async change(transaction, records) {
      for (const type of types) {
        const own = type.singular === preview.type ? [preview.record] : [];
        const waiting = await records.unpublishedIds(transaction, {
          ...{ type: type.singular, caller: maker, most: mostShown },
        });
        const withDraft = readsDraftsOf(maker, type, records.types);
        for (const id of new Set([...own, ...waiting]))
          await records.publishForReads(transaction, { type: type.singular, id, withDraft });
      }
    },
  };
}

/** The types whose records a read can depend on: its own, unless what it asks for or a rule leads to others. */
function concerned({ types }: Records, { type: singular, search }: AskedRead): readonly ContentType[] {
  const type = types.get(singular);
  const { list, get } = type.endpoints;
  const rules = [list, get].flatMap(({ filter, filterAuth }) => [filter, filterAuth]);
  const isAlone = rules.every((rule) => rule === null || rule.reads.types.size === 0);
  return search === '' && isAlone ? [type] : types.all;
}

/** The items of a release that the maker of a preview sees. None where it is published already: what it has changed is so. */
async function itemsOf(
  { releases }: ProjectionParts,
  { maker }: LivePreview,
  id: string,
): Promise<readonly ReleaseItem[]> {
  const all = await releases();
  const release = await all.get(maker, id);
  return release.status === 'done' ? [] : (await all.itemsFor(maker, id)).items;
}

async function prepared({ records }: ProjectionParts, { maker, preview }: LivePreview, items: readonly ReleaseItem[]) {
  const { prepareRun } = await import('../releases/release-run.ts');
  const release = preview.release ?? '';
  return records.projected({}, (own) => prepareRun(own, { release, items, caller: maker }));
}

/** What speaks against publishing an item leaves it as it is. */
const runOf =
  (run: PreparedRun): NonNullable<Projection<Records>['change']> =>
  async (transaction) => {
    await run.run(transaction);
  };
