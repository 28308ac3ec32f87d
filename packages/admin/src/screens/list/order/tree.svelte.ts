import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { ListedType } from '../data/list-fields.ts';
import type { ListRecord } from '../data/list-record.ts';
import { adminPath, isPage } from '../data/list-requests.ts';
import type { RectoClient } from '../data/recto-client.ts';
import { isStrict, newPositions, type Placed } from './positions.ts';

/** A row of the tree, in the order in which it is shown. */
export interface TreeRow {
  readonly record: ListRecord;
  /** From 1. */
  readonly level: number;
  readonly parent: string | null;
  /** Its place among its neighbours, from 0. */
  readonly index: number;
  readonly siblings: number;
  readonly hasChildren: boolean;
  readonly isExpanded: boolean;
}

/** Stands behind the children of a parent that are shown. */
export interface MoreRow {
  readonly more: string | null;
  readonly level: number;
  readonly count: number;
}

interface Level {
  readonly records: readonly ListRecord[];
  readonly nextCursor: string | undefined;
  readonly total: number;
}

/** The children of a parent that one request brings. */
const pageSize = 100;
/** The places that one request sets. */
const mostPlaces = 1000;

/** The records of a nestable type, or pages, of which the levels are loaded that someone has opened. Reactive. */
export class Tree {
  readonly #client: RectoClient;
  readonly #type: ListedType;
  readonly #include: () => readonly string[];
  /** The field with the place of a record among its neighbours. */
  readonly order: string;
  /** The children of each parent that was opened; those of null are the roots. */
  readonly #levels = new SvelteMap<string | null, Level>();
  /** How many children records have. */
  readonly #counts = new SvelteMap<string, number>();
  readonly #expanded = new SvelteSet<string>();

  constructor(client: RectoClient, type: ListedType, include: () => readonly string[]) {
    this.#client = client;
    this.#type = type;
    this.#include = include;
    this.order = isPage(type) ? 'sort_order' : 'position';
  }

  get isLoaded(): boolean {
    return this.#levels.has(null);
  }

  get rows(): readonly (TreeRow | MoreRow)[] {
    return this.#below(null, 1);
  }

  /** The records of a level, in their order. */
  childrenOf(parent: string | null): readonly ListRecord[] {
    return this.#levels.get(parent)?.records ?? [];
  }

  /** Loads all that is open once more. */
  async reload(signal?: AbortSignal): Promise<void> {
    await this.#load([null, ...this.#expanded], signal);
  }

  async expand(id: string): Promise<void> {
    if (!this.#levels.has(id)) await this.#load([id]);
    this.#expanded.add(id);
  }

  collapse(id: string): void {
    this.#expanded.delete(id);
  }

  /** Loads further children of a parent. */
  async loadMore(parent: string | null): Promise<void> {
    const level = this.#levels.get(parent);
    if (level?.nextCursor === undefined) return;
    const next = await this.#request(parent, level.nextCursor);
    const counts = await this.#countsOf(next.records);
    this.#keep(parent, joined(level, next), counts);
  }

  /** Whether one record is above another. */
  isAbove(id: string, other: string): boolean {
    for (let at = this.#parentOf(other); at !== null; at = this.#parentOf(at)) if (at === id) return true;
    return false;
  }

  /** Puts a record under a parent, at a place among its children. */
  async move(record: ListRecord, parent: string | null, index: number): Promise<void> {
    const before = parentIdOf(record);
    if (before !== parent) {
      await this.#putUnder(record.id, parent);
      if (parent !== null) await this.expand(parent);
    }
    const order = (): readonly Placed[] => {
      const others = this.childrenOf(parent).filter(({ id }) => id !== record.id);
      return others.toSpliced(index, 0, record).map(({ id, [this.order]: place }) => ({
        id,
        position: typeof place === 'number' ? place : null,
      }));
    };
    // Pages that nobody has put in order share a place: each gets its own, also those that are not shown yet.
    if (!isStrict(order())) await this.#loadAll(parent);
    const items = newPositions(order()).map(({ id, position }) => ({ id, [this.order]: position }));
    for (let from = 0; from < items.length; from += mostPlaces) {
      const body = { items: items.slice(from, from + mostPlaces) };
      await this.#client.request('PUT', `${adminPath(this.#type)}/reorder`, { body });
    }
    await this.#load(before === parent ? [parent] : [parent, before]);
  }

  async #putUnder(id: string, parent: string | null): Promise<void> {
    const body = { parent_id: parent };
    if (isPage(this.#type)) await this.#client.request('PUT', `${adminPath(this.#type)}/${id}`, { body });
    else await this.#client.admin.collection(this.#type.plural).move(id, body);
  }

  async #loadAll(parent: string | null): Promise<void> {
    while (this.#levels.get(parent)?.nextCursor !== undefined) await this.loadMore(parent);
  }

  #below(parent: string | null, level: number): readonly (TreeRow | MoreRow)[] {
    const { records = [], total = 0 } = this.#levels.get(parent) ?? {};
    const rows = records.flatMap((record, index): readonly (TreeRow | MoreRow)[] => {
      const hasChildren = (this.#counts.get(record.id) ?? 0) > 0;
      const isExpanded = hasChildren && this.#expanded.has(record.id);
      const row = { record, level, parent, index, siblings: total, hasChildren, isExpanded };
      return isExpanded ? [row, ...this.#below(record.id, level + 1)] : [row];
    });
    const rest = total - records.length;
    return rest > 0 ? [...rows, { more: parent, level, count: Math.min(rest, pageSize) }] : rows;
  }

  #parentOf(id: string): string | null {
    for (const { records } of this.#levels.values()) {
      const record = records.find((each) => each.id === id);
      if (record !== undefined) return parentIdOf(record);
    }
    return null;
  }

  /** As much of each level as was shown, all at once: a record that has moved is never in two places. */
  async #load(parents: readonly (string | null)[], signal?: AbortSignal): Promise<void> {
    const loaded = await Promise.all(
      parents.map(async (parent) => {
        const wanted = this.childrenOf(parent).length;
        let level = await this.#request(parent, undefined, signal);
        let counts = await this.#countsOf(level.records, signal);
        while (level.nextCursor !== undefined && level.records.length < wanted) {
          const next = await this.#request(parent, level.nextCursor, signal);
          counts = new Map([...counts, ...(await this.#countsOf(next.records, signal))]);
          level = joined(level, next);
        }
        return { parent, level, counts };
      }),
    );
    for (const { parent, level, counts } of loaded) this.#keep(parent, level, counts);
  }

  #keep(parent: string | null, level: Level, counts: ReadonlyMap<string, number>): void {
    for (const [id, count] of counts) this.#counts.set(id, count);
    if (parent !== null) this.#counts.set(parent, level.total);
    this.#levels.set(parent, level);
  }

  async #request(parent: string | null, cursor: string | undefined, signal?: AbortSignal): Promise<Level> {
    const include = this.#include();
    const { items, total, next_cursor } = await this.#client.admin.collection(this.#type.plural).list({
      filter: `parent_id = ${parent === null ? 'null' : JSON.stringify(parent)}`,
      page_size: pageSize,
      ...(cursor === undefined ? {} : { cursor }),
      ...(signal === undefined ? {} : { signal }),
      // Of pages at one place, the title decides, as everywhere.
      query: {
        sort: isPage(this.#type) ? 'sort_order:asc,title:asc' : 'position:asc',
        ...(include.length === 0 ? {} : { include: include.join(',') }),
      },
    });
    // Every record has an id.
    return { records: items as unknown as readonly ListRecord[], total, nextCursor: next_cursor };
  }

  /** How many children each of the records has. */
  async #countsOf(records: readonly ListRecord[], signal?: AbortSignal): Promise<ReadonlyMap<string, number>> {
    if (records.length === 0) return new Map();
    const ids = records.map(({ id }) => JSON.stringify(id));
    const { items } = await this.#client.admin.collection(this.#type.plural).aggregate({
      group: 'parent_id',
      filter: `parent_id in [${ids.join(', ')}]`,
      ...(signal === undefined ? {} : { signal }),
    });
    const counts = new Map(items.map((item) => [String(item.parent_id), item.count ?? 0]));
    return new Map(records.map(({ id }) => [id, counts.get(id) ?? 0]));
  }
}

/** A level with its next records. */
const joined = (level: Level, next: Level): Level => ({
  ...next,
  total: level.total,
  records: [...level.records, ...next.records],
});

/** The parent may have been included. */
export function parentIdOf({ parent_id: parent }: ListRecord): string | null {
  if (typeof parent === 'string') return parent;
  return typeof parent === 'object' && parent !== null && 'id' in parent ? String(parent.id) : null;
}
