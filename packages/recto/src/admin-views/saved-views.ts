import { type AuthenticatedCaller, callerScopes } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import { conflict, forbidden, invalid, notFound } from '../base/problem.ts';
import type { Database, Executor, Transaction } from '../database/database.ts';
import { logOtherChange } from '../events/event-writer.ts';
import { type SavedView, type SavedViewInput, viewLimits } from './saved-view.ts';
import { type NamedView, SavedViewStore, type ViewReader } from './saved-view-store.ts';

/** The type of events of shared views. No content type has such a name. */
export const savedViewEvents = 'recto:saved_view';

const readerOf = ({ id, tenant }: AuthenticatedCaller): ViewReader => ({ id, tenant: tenant ?? null });

/** Whether a caller may know what a view names. */
export interface ViewSight {
  /** Whether that is so of all views. */
  readonly areAll: boolean;
  sees(view: SavedView): boolean;
}

const noSuchView = () => notFound('There is no such view.');

/**
 * Saved views, as callers see and change them: their own, and shared ones of their tenant, which only the owner and admins
 * change. A view that a caller may not see is one that there is not. What is sent has been checked.
 */
export class SavedViews {
  readonly #database: Database;
  readonly #store: SavedViewStore;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#store = new SavedViewStore(database.dialect);
    this.#now = now;
  }

  /** A page of them by their names, and how many there are; of one type or of all. */
  async page(
    caller: AuthenticatedCaller,
    type: string | undefined,
    { limit, offset }: { readonly limit: number; readonly offset: number },
    sight: ViewSight,
  ): Promise<{ readonly views: readonly SavedView[]; readonly total: number }> {
    // Databases sort names in ways of their own, so the names are sorted here.
    if (!sight.areAll) {
      const whole = await this.#store.visibleWhole(this.#database, readerOf(caller), type);
      const seen = whole.filter((view) => sight.sees(view)).toSorted(byName);
      return { views: seen.slice(offset, offset + limit), total: seen.length };
    }
    // Of the views, only the page is read.
    const named = await this.#store.visible(this.#database, readerOf(caller), type);
    const ids = named
      .toSorted(byName)
      .slice(offset, offset + limit)
      .map(({ id }) => id);
    return { views: await this.#store.several(this.#database, ids), total: named.length };
  }

  /** Throws 404. */
  async get(
    caller: AuthenticatedCaller,
    id: string,
    sight: ViewSight,
    executor: Executor = this.#database,
  ): Promise<SavedView> {
    const view = await this.#store.get(executor, id);
    const { id: reader, tenant } = readerOf(caller);
    if (view === undefined || view.tenant !== tenant || (!view.shared && view.owner !== reader)) throw noSuchView();
    if (!sight.sees(view)) throw noSuchView();
    return view;
  }

  /** Throws 422 where a view of the type that the caller sees has the name. */
  async create(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    input: SavedViewInput,
    sight: ViewSight,
  ): Promise<SavedView> {
    const { id: owner, tenant } = readerOf(caller);
    await this.#requireFreeName(transaction, caller, input, sight);
    if ((await this.#store.countOf(transaction, owner)) >= viewLimits.views)
      throw conflict('too_many_views', `At most ${viewLimits.views} views can be saved: delete some first.`);
    const now = this.#now();
    const view: SavedView = { ...input, id: newId(), owner, tenant, createdAt: now, updatedAt: now };
    await this.#store.insert(transaction, view);
    if (view.shared) this.#log(transaction, caller, view, 'create');
    return view;
  }

  /** Throws 404, or 403 for a view that the caller sees and may not change. */
  async update(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    { id, sight }: { readonly id: string; readonly sight: ViewSight },
    input: Partial<SavedViewInput>,
  ): Promise<SavedView> {
    const before = await this.#changeable(transaction, caller, id, sight);
    const view: SavedView = { ...before, ...input, updatedAt: this.#now() };
    // One that has its name already keeps it: names were not always unique.
    if (foldedName(view) !== foldedName(before)) await this.#requireFreeName(transaction, caller, view, sight);
    await this.#store.update(transaction, view);
    if (before.shared || view.shared) this.#log(transaction, caller, view, 'update', Object.keys(input));
    return view;
  }

  /** Throws as `update`. */
  async remove(transaction: Transaction, caller: AuthenticatedCaller, id: string, sight: ViewSight): Promise<void> {
    const view = await this.#changeable(transaction, caller, id, sight);
    await this.#store.remove(transaction, id);
    if (view.shared) this.#log(transaction, caller, view, 'delete');
  }

  /** Nobody could distinguish two views of one name. What the caller does not see, they do not learn of. */
  async #requireFreeName(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    view: Pick<SavedView, 'type' | 'name'> & { readonly id?: string },
    sight: ViewSight,
  ): Promise<void> {
    const others = await this.#store.visibleWhole(transaction, readerOf(caller), view.type);
    const isTaken = others.some(
      (other) => other.id !== view.id && foldedName(other) === foldedName(view) && (sight.areAll || sight.sees(other)),
    );
    if (isTaken) throw invalid([nameTaken]);
  }

  async #changeable(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    id: string,
    sight: ViewSight,
  ): Promise<SavedView> {
    const view = await this.get(caller, id, sight, transaction);
    if (!mayChange(view, caller))
      throw forbidden('not_the_owner', 'A shared view is changed by its owner and by admins.');
    return view;
  }

  /** What one person sees alone is nobody else's business; what others see is logged. */
  #log(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    { id, tenant }: SavedView,
    action: 'create' | 'update' | 'delete',
    changed: readonly string[] = [],
  ): void {
    const at = new Date(this.#now()).toISOString();
    logOtherChange(transaction, { type: savedViewEvents, id, tenant, action, changed, caller, at });
  }
}

/** Case and spaces around it make no other name. */
const foldedName = ({ name }: Pick<SavedView, 'name'>): string => name.trim().toLowerCase();

const nameTaken = { field: 'name', code: 'taken', message: 'A view of this type has this name already.' };

const byName = (a: NamedView, b: NamedView): number => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);

/** Whether a caller who sees the view may change it. A token with scopes changes nothing of others. */
export const mayChange = ({ owner }: SavedView, caller: AuthenticatedCaller): boolean =>
  owner === caller.id || (caller.role === 'admin' && callerScopes(caller) === undefined);
