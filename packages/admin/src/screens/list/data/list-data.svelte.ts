import { RectoError } from '@recto/client';
import { createQuery, invalidate } from '../../../api/query.svelte.ts';
import { session } from '../../../app/session.svelte.ts';
import type { ListColumns } from '../columns/list-columns.svelte.ts';
import { withDemand, withValueDemand } from '../filter/edit-filter.ts';
import { emptyFilter } from '../filter/filter-tree.ts';
import { printFilter } from '../filter/print-filter.ts';
import type { ListAddress } from './list-address.svelte.ts';
import { protocolOf } from './list-fields.ts';
import type { ListRecord } from './list-record.ts';
import { includedRelations, isPage, type LoadedTotal, loadCounts, loadPage, loadTotal } from './list-requests.ts';

/** The records of a list, how many there are, and how many of each status. */
export class ListData {
  readonly #address: ListAddress;
  readonly #columns: ListColumns;
  /** A type whose relations lead to more than a response holds is shown without their titles. */
  #isWithoutTitles = $state(false);
  readonly page;
  readonly #total;
  readonly counts;
  /** How many records change their status at a time. */
  readonly scheduled;

  readonly #include = $derived.by(() => (this.#isWithoutTitles ? [] : includedRelations(this.#columns.chosen)));
  /** Records inside of others are shown as a tree, as long as nothing is asked for. */
  readonly isTree = $derived.by(() => {
    const { look, state, type } = this.#address;
    const { deleted, filter, search, sort, view, language, missing, asOf } = state;
    if (language !== '' || missing !== '' || asOf !== '') return false;
    if (!isPage(type) && protocolOf(type, 'nestable') === undefined) return false;
    return !deleted && look.layout === 'table' && filter === '' && search === '' && sort === '' && view === '';
  });
  /** A board loads each of its columns by itself. */
  readonly isBoard = $derived.by(
    () => this.#address.look.layout === 'board' && !this.#address.state.deleted && this.#columns.status !== undefined,
  );
  /** What its columns have loaded, in their order. */
  boardRows = $state.raw<readonly ListRecord[]>([]);
  /** The other conditions: what is counted by status does not depend on which of them is shown. */
  readonly #others = $derived.by(() => {
    const { parsedFilter } = this.#address;
    const { status, schedule } = this.#columns;
    if (status === undefined || parsedFilter === undefined) return undefined;
    const others = withDemand(parsedFilter, status.name, []);
    return schedule === undefined ? others : withValueDemand(others, schedule, false);
  });
  readonly #countedFilter = $derived.by(() =>
    this.#others === undefined ? this.#address.state.filter : printFilter(this.#others),
  );
  readonly rows = $derived.by(() => (this.isBoard ? this.boardRows : (this.page.data?.rows ?? [])));
  readonly error = $derived.by(() => (this.isTree ? undefined : this.isBoard ? this.counts.error : this.page.error));

  /** Call it while a component is set up. */
  constructor(address: ListAddress, columns: ListColumns) {
    this.#address = address;
    this.#columns = columns;
    const { client } = session;
    this.page = createQuery(() => {
      const { type, state } = address;
      const { filter, search, sort, deleted, language, missing, asOf, size, place } = state;
      const include = this.#include;
      return {
        key: [
          'list',
          type.plural,
          'page',
          filter,
          search,
          sort,
          deleted,
          language,
          missing,
          asOf,
          size,
          place,
          include,
        ],
        load: (signal) => loadPage({ client, type, state, include, signal }),
        keepsPrevious: true,
        paused: this.isTree || this.isBoard,
      };
    });
    this.#total = createQuery(() => {
      const { type, state } = address;
      return {
        key: [
          'list',
          type.plural,
          'total',
          state.filter,
          state.search,
          state.deleted,
          state.language,
          state.missing,
          state.asOf,
        ],
        load: (signal) => loadTotal({ client, type, state, signal }),
      };
    });
    this.counts = createQuery(() => {
      const { type, state } = address;
      const [field, filter] = [columns.status?.name ?? '', this.#countedFilter];
      return {
        key: ['list', type.plural, 'counts', filter, state.search, state.language, state.missing, state.asOf],
        load: (signal) => loadCounts({ client, type, state, signal }, { field, filter }),
        keepsPrevious: true,
        paused: columns.status === undefined || state.deleted,
      };
    });
    this.scheduled = createQuery(() => {
      const { type, state } = address;
      const { schedule } = columns;
      const others = this.#others ?? emptyFilter;
      const filter = schedule === undefined ? '' : printFilter(withValueDemand(others, schedule, true));
      return {
        key: ['list', type.plural, 'scheduled', filter, state.search, state.language, state.missing, state.asOf],
        load: (signal) => loadTotal({ client, type, state: { ...state, filter }, signal }),
        keepsPrevious: true,
        // A filter that cannot be read cannot be added to.
        paused: schedule === undefined || this.#others === undefined || state.deleted,
      };
    });
    $effect(() => {
      const { error } = this;
      if (error instanceof RectoError && error.is('answer_too_large')) this.#isWithoutTitles = true;
    });
  }

  /** The total as it was loaded: another object each time it is another one. */
  get loadedTotal(): LoadedTotal | undefined {
    return this.#total.data;
  }

  /** Loads everything again. */
  async reload(): Promise<void> {
    const { plural } = this.#address.type;
    invalidate(['list', plural]);
    await Promise.all([this.isTree || this.isBoard ? undefined : this.page.reload(), this.#total.reload()]);
  }

  get total(): number | undefined {
    return this.#total.data?.total;
  }

  /** The total is not exact: an earlier one, or the most that a search counts. */
  get inexact(): 'estimate' | 'least' | undefined {
    if (this.#total.data?.isEstimate) return 'estimate';
    return this.#address.state.search !== '' && this.total === 10_000 ? 'least' : undefined;
  }
}
