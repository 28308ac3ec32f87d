import type { SavedView } from '../../admin-views/saved-view.ts';
import { type Caller, callerId } from '../../base/caller.ts';
import { Problem } from '../../base/problem.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { type AdminView, adminView, rightsOf } from '../../definition/rights/read-view.ts';
import { editorRights } from '../../definition/rights/role-rights.ts';
import { readGivenFilter } from '../../query/filter-query.ts';
import { filterScope } from '../../query/filter-scope.ts';
import { readSort } from '../../query/list-query.ts';
import { readableField } from '../../query/read-view.ts';
import { typeNameOf } from '../../webhooks/fan-out.ts';
import { typeNamed } from '../../webhooks/webhook-input.ts';

/**
 * The names that a caller may know of: content types whose lists are open to them, and fields that they read. Saved views hold names,
 * and a shared one must not reveal any.
 */
export class ReadableNames {
  readonly #types: ContentTypes;
  readonly #view: AdminView;
  readonly #caller: string | null;

  constructor(caller: Caller, types: ContentTypes) {
    this.#types = types;
    this.#caller = callerId(caller);
    this.#view = adminView(rightsOf(caller, types.roles));
  }

  /** Whether the caller reads all fields of all types. */
  get areAll(): boolean {
    return this.#view.rights.key === editorRights.key;
  }

  /** The type of that singular or plural name; undefined for one whose list is closed to the caller, as for one that there is not. */
  typeNamed(name: string): ContentType | undefined {
    const type = typeNamed(this.#types, name);
    return type !== undefined && this.#lists(type) ? type : undefined;
  }

  /** A type's name in addresses; as it is stored, where the caller sees no such type. */
  nameOf(singular: string): string {
    const type = this.#types.find(singular);
    return type === undefined || !this.#lists(type) ? singular : typeNameOf(type);
  }

  /** Checks a filter of a type as its list does. Throws 400. */
  checkFilter(filter: string, type: ContentType): void {
    readGivenFilter(filter, filterScope(type, this.#view, this.#types));
  }

  /** Whether the caller may see a view of their own or a shared one. What they have written themselves, they know. */
  sees(view: SavedView): boolean {
    if (this.areAll || view.owner === this.#caller) return true;
    const type = this.typeNamed(view.type);
    if (type === undefined) return false;
    if (!view.columns.every((name) => readableField(type, this.#view, name) !== undefined)) return false;
    try {
      if (view.sort !== '') readSort(view.sort, { type, view: this.#view });
      if (view.filter !== '') this.checkFilter(view.filter, type);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  #lists(type: ContentType): boolean {
    return this.#view.rights.of(type).rows.list !== 'none';
  }
}
