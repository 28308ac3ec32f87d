import type { SavedView } from '@recto/client/admin';
import { localizedFields } from '../../../api/content-languages.ts';
import { createQuery } from '../../../api/query.svelte.ts';
import { session } from '../../../app/session.svelte.ts';
import type { ListAddress } from '../data/list-address.svelte.ts';
import { defaultColumns, languagesColumn, listFields, scheduleField } from '../data/list-fields.ts';
import { layouts } from './list-look.ts';

/** Which fields of the type a list shows: those of the address, of the saved view, of the person, of the type. */
export class ListColumns {
  readonly #address: ListAddress;
  readonly #views;
  readonly fields = $derived.by(() => listFields(this.#address.type));
  readonly #byName = $derived.by(() => new Map(this.fields.map((field) => [field.name, field])));
  readonly #usual = $derived.by(() => defaultColumns(this.#address.type, this.fields));

  readonly view = $derived.by(() => this.views.find(({ id }) => id === this.#address.state.view));
  readonly #ofView = $derived.by(() => this.view?.columns ?? []);

  /** The names of what is shown, in its order. */
  readonly names = $derived.by(() => {
    for (const names of [this.#address.state.columns, this.#ofView, this.#address.preference.columns]) {
      const known = [...new Set(names)].filter((each) => this.#byName.has(each));
      if (known.length > 0) return known;
    }
    return this.#usual;
  });
  readonly chosen = $derived.by(() => this.names.flatMap((each) => this.#byName.get(each) ?? []));
  /** With the time of deletion among deleted records. */
  readonly shown = $derived.by(() => {
    const deletedAt = this.#byName.get('deleted_at');
    return this.#address.state.deleted && deletedAt !== undefined && !this.chosen.includes(deletedAt)
      ? [...this.chosen, deletedAt]
      : this.chosen;
  });
  readonly status = $derived.by(() => this.fields.find(({ kind }) => kind === 'status'));
  /** The field with the time at which the status changes by itself. */
  readonly schedule = $derived.by(() => scheduleField(this.#address.type));
  /** A board has a column for each status. */
  readonly layouts = $derived.by(() => layouts.filter((layout) => layout !== 'board' || this.status !== undefined));
  /** What is set for many records is set in the default language. */
  readonly settable = $derived.by(() => {
    const { state, type } = this.#address;
    const others = state.language === '' ? [] : localizedFields(type);
    return this.fields.filter(({ name, settable }) => settable && !others.includes(name));
  });

  /** What the list shows, to be saved in a view. */
  readonly asView = $derived.by(() => {
    const { filter, search, sort } = this.#address.state;
    // The languages of a record are no field of it.
    return { filter, search, sort, columns: this.names.filter((name) => name !== languagesColumn) };
  });
  readonly isViewChanged = $derived.by(() => {
    const { view } = this;
    const { filter, search, sort, columns } = this.#address.state;
    if (view === undefined) return false;
    return view.filter !== filter || view.search !== search || view.sort !== sort || columns.length > 0;
  });

  /** Call it while a component is set up. */
  constructor(address: ListAddress) {
    this.#address = address;
    this.#views = createQuery(() => ({
      key: ['views', address.type.plural],
      load: async (signal) => {
        const query = { type: address.type.plural };
        return (await session.client.admin.savedViews.list({ page_size: 100, query, signal })).items;
      },
    }));
  }

  /** The saved views of the type, in the order that the person has given them. */
  readonly views = $derived.by((): readonly SavedView[] => {
    const { views: order } = this.#address.preference;
    const places = new Map((Array.isArray(order) ? order : []).map((id, place) => [id, place]));
    const placeOf = ({ id }: SavedView): number => places.get(id) ?? places.size;
    return (this.#views.data ?? []).toSorted((a, b) => placeOf(a) - placeOf(b));
  });

  /** Has the views in another order from now on, on this person's pages. */
  orderViews(ids: readonly string[]): void {
    void this.#address.keep({ views: ids });
  }

  open(view: SavedView | undefined): void {
    const { filter = '', search = '', sort = '' } = view ?? {};
    this.#address.change({ view: view?.id ?? '', filter, search, sort, columns: [], deleted: false });
  }

  set(columns: readonly string[]): void {
    const { state } = this.#address;
    if (state.view !== '' || state.columns.length > 0) this.#address.show({ ...state, columns }, { replace: true });
    else void this.#address.keep({ columns });
  }

  reset(): void {
    const { state } = this.#address;
    if (state.columns.length > 0) this.#address.show({ ...state, columns: [] }, { replace: true });
    void this.#address.keep({ columns: [] });
  }
}
