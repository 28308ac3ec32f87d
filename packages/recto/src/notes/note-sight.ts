import { type AuthenticatedCaller, tenantAsked } from '../base/caller.ts';
import type { Executor } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import { type AdminView, adminView, rightsOf } from '../definition/rights/read-view.ts';
import { editorRights } from '../definition/rights/role-rights.ts';
import { hidesPrivate } from '../definition/structure/structure-items.ts';
import { knownIds } from '../records/batch/several-records.ts';
import type { Records } from '../records/records.ts';
import type { Note } from './note.ts';

/** What somebody sees of notes: those on records that admin reads show them, and of these the ones on fields that they read. */
export class NoteSight {
  readonly #records: Records;
  readonly #caller: AuthenticatedCaller;
  readonly #view: AdminView;

  constructor(records: Records, caller: AuthenticatedCaller) {
    this.#records = records;
    this.#caller = caller;
    this.#view = adminView(rightsOf(caller, records.types.roles));
  }

  /** Whether admin reads show the caller the record. */
  async seesRecord(executor: Pick<Executor, 'rows'>, type: ContentType, id: string): Promise<boolean> {
    if (this.#view.rights.of(type).rows.get === 'none') return false;
    return (await knownIds(executor, this.#records, { type, caller: this.#caller }, [id])).has(id);
  }

  /** Whether the caller reads the field at a path. What is private inside a structured field is read with all of it, or not at all. */
  seesField(type: ContentType, path: string | null): boolean {
    if (path === null) return true;
    const [name = ''] = /^[^.[]*/.exec(path) ?? [];
    const field = type.field.get(name);
    const { rights } = this.#view;
    // Of a field that the type does not have any more, only who reads all knows.
    if (field === undefined) return rights.key === editorRights.key;
    return rights.of(type).reads(field) && (path === name || rights.readsPrivateMembers || !hidesPrivate(field));
  }

  /** Whether the caller sees a note on a record that they see. Of a record that all tenants share, each has notes of its own. */
  sees(type: ContentType, { field, tenant }: Note): boolean {
    return this.seesField(type, field) && tenant === this.tenantFor(type);
  }

  /** The tenant of the caller's notes. A record that belongs to a tenant has those that see it alone. */
  tenantFor(type: ContentType): string | null {
    return type.partition === null ? tenantAsked(this.#caller) : null;
  }

  /** A note that the caller sees, with its type; undefined for any other. */
  async typeOf(executor: Pick<Executor, 'rows'>, note: Note): Promise<ContentType | undefined> {
    const type = this.#records.types.find(note.type);
    if (type === undefined || !this.sees(type, note)) return undefined;
    return (await this.seesRecord(executor, type, note.record)) ? type : undefined;
  }
}
