import { type AuthenticatedCaller, isBuiltInRole } from '../base/caller.ts';
import { Problem } from '../base/problem.ts';
import type { Executor } from '../database/database.ts';
import type { ContentType, Field } from '../definition/content-type.ts';
import { publishedStateOf } from '../definition/published-state.ts';
import { rightsOf, viewFor } from '../definition/rights/read-view.ts';
import type { Note } from '../notes/note.ts';
import { NoteSight } from '../notes/note-sight.ts';
import type { NoteStore } from '../notes/note-store.ts';
import { knownIds } from '../records/batch/several-records.ts';
import type { Records } from '../records/records.ts';
import type { Release } from '../releases/release.ts';
import type { ReleaseStore } from '../releases/release-store.ts';
import type { NewNotification, Notification, NotificationKind } from './notification.ts';
import { titleFieldOf, titleText } from './record-title.ts';

/** What a notification is about, as its receiver may read it now. */
interface Seen {
  readonly on:
    | { readonly kind: 'record'; readonly type: ContentType; readonly note: Note | null }
    | { readonly kind: 'release'; readonly release: Release };
}

export type SeenNotification = Notification & Seen;

export interface NotificationSightParts {
  readonly records: Records;
  readonly notes: NoteStore;
  readonly releases: ReleaseStore;
}

/** What somebody sees of their notifications: those on what they may read now. */
export class NotificationSight {
  readonly #parts: NotificationSightParts;
  readonly #caller: AuthenticatedCaller;
  readonly #notes: NoteSight;

  constructor(parts: NotificationSightParts, caller: AuthenticatedCaller) {
    this.#parts = parts;
    this.#caller = caller;
    this.#notes = new NoteSight(parts.records, caller);
  }

  /** Those that the receiver may read now, in the same order. `executor`: what it is looked up with, such as a transaction that goes on. */
  async seen<T extends NewNotification>(
    notifications: readonly T[],
    executor: Pick<Executor, 'first' | 'rows'> = this.#parts.records.database,
  ): Promise<readonly (T & Seen)[]> {
    const records = await this.#records(notifications, executor);
    const found: (T & Seen)[] = [];
    for (const notification of notifications) {
      const on = await this.#subject(notification, records, executor);
      if (on !== undefined) found.push({ ...notification, on });
    }
    return found;
  }

  /** What the record is called; null where the receiver does not read that, or it is called nothing. */
  async title({ record, on }: SeenNotification): Promise<string | null> {
    if (on.kind === 'release') return on.release.name;
    const { records } = this.#parts;
    const { type } = on;
    const field = titleFieldOf(type);
    const view = viewFor('admin', this.#caller, records.types);
    const mayRead = field !== undefined && view.audience === 'admin' && view.rights.of(type).reads(field);
    if (!mayRead) return null;
    const id = type.kind === 'single' ? null : record;
    try {
      const search = `fields=${field.name}`;
      const { body } = await records.get({ type, view: 'admin', caller: this.#caller, id, search });
      const read = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
      return titleText(read[field.name]);
    } catch (error) {
      // It is gone since, or not for them any more.
      if (error instanceof Problem && error.status < 500) return null;
      throw error;
    }
  }

  /** The ids of the records that the receiver may get, by type. */
  async #records(
    notifications: readonly NewNotification[],
    executor: Pick<Executor, 'rows'>,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const { records } = this.#parts;
    const byType = Map.groupBy(notifications, ({ type }) => type ?? '');
    const found = new Map<string, ReadonlySet<string>>();
    for (const [name, some] of byType) {
      const type = records.types.find(name);
      const view = viewFor('admin', this.#caller, records.types);
      if (type === undefined || view.audience !== 'admin' || view.rights.of(type).rows.get === 'none') continue;
      const ids = [...new Set(some.flatMap(({ record }) => record ?? []))];
      found.set(name, await knownIds(executor, records, { type, caller: this.#caller }, ids));
    }
    return found;
  }

  async #subject(
    { account, kind, type: name, record, note, release }: NewNotification,
    records: ReadonlyMap<string, ReadonlySet<string>>,
    executor: Pick<Executor, 'first'>,
  ): Promise<Seen['on'] | undefined> {
    if (name === null) {
      const found = await this.#parts.releases.get(release, executor);
      return found !== undefined && this.#seesRelease(found) ? { kind: 'release', release: found } : undefined;
    }
    const type = this.#parts.records.types.find(name);
    if (type === undefined || records.get(name)?.has(record) !== true) return undefined;
    if (!this.#readsCause(type, kind)) return undefined;
    if (note === null) return { kind: 'record', type, note };
    const written = await this.#parts.notes.get(executor, note);
    if (written === undefined || !written.mentions.includes(account)) return undefined;
    return this.#notes.sees(type, written) ? { kind: 'record', type, note: written } : undefined;
  }

  /** Whether the receiver reads the field whose value the notification says something of. */
  #readsCause(type: ContentType, kind: NotificationKind): boolean {
    const rights = rightsOf(this.#caller, this.#parts.records.types.roles).of(type);
    const reads = (field: Field | undefined): boolean => field === undefined || rights.reads(field);
    switch (kind) {
      case 'assigned':
        return reads(type.facts.assignee);
      case 'review_asked':
      case 'approved':
      case 'sent_back':
      case 'published':
        return reads(type.field.get(publishedStateOf(type.protocols)?.column ?? ''));
      case 'mentioned':
      case 'release_failed':
        return true;
    }
  }

  #seesRelease({ tenant }: Release): boolean {
    const { role, tenant: own } = this.#caller;
    const may = isBuiltInRole(role)
      ? role !== 'member'
      : this.#parts.records.types.ownRoles.find(role)?.may.releases === true;
    return may && (own === undefined || own === tenant);
  }
}
