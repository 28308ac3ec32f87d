import { RectoError } from '@recto/client';
import { createQuery } from '../../api/query.svelte.ts';
import { session } from '../../app/session.svelte.ts';
import { withDemand } from './filter/edit-filter.ts';
import { printFilter } from './filter/print-filter.ts';
import type { ListAddress } from './list-address.svelte.ts';
import type { ListColumns } from './list-columns.svelte.ts';
import { protocolOf } from './list-fields.ts';
import { includedRelations, loadCounts, loadPage, loadTotal } from './list-requests.ts';

/** The records of a list, how many there are, and how many of each status. */
export class ListData {
  readonly #address: ListAddress;
  readonly #columns: ListColumns;
  /** A type whose relations lead to more than a response holds is shown without their titles. */
  #isWithoutTitles = $state(false);
  readonly page;
  readonly #total;
  readonly counts;

  readonly #include = $derived.by(() => (this.#isWithoutTitles ? [] : includedRelations(this.#columns.chosen)));
  /** Records inside of others are shown as a tree, as long as nothing is asked for. */
  readonly isTree = $derived.by(() => {
    const { deleted, filter, search, sort, view } = this.#address.state;
    if (protocolOf(this.#address.type, 'nestable') === undefined || deleted) return false;
    return filter === '' && search === '' && sort === '' && view === '';
  });
  /** The other conditions: the count of a status does not depend on which status is shown. */
  readonly #countedFilter = $derived.by(() => {
    const { state, parsedFilter } = this.#address;
    const { status } = this.#columns;
    if (status === undefined || parsedFilter === undefined) return state.filter;
    return printFilter(withDemand(parsedFilter, status.name, []));
  });
  readonly rows = $derived.by(() => this.page.data?.rows ?? []);
  readonly error = $derived.by(() => (this.isTree ? undefined : this.page.error));

  /** Call it while a component is set up. */
  constructor(address: ListAddress, columns: ListColumns) {
    this.#address = address;
    this.#columns = columns;
    const { client } = session;
    this.page = createQuery(() => {
      const { type, state } = address;
      const { filter, search, sort, deleted, size, place } = state;
      const include = this.#include;
      return {
        key: ['list', type.plural, 'page', filter, search, sort, deleted, size, place, include],
        load: (signal) => loadPage({ client, type, state, include, signal }),
        keepsPrevious: true,
        paused: this.isTree,
      };
    });
    this.#total = createQuery(() => {
      const { type, state } = address;
      return {
        key: ['list', type.plural, 'total', state.filter, state.search, state.deleted],
        load: (signal) => loadTotal({ client, type, state, signal }),
      };
    });
    this.counts = createQuery(() => {
      const { type, state } = address;
      const [field, filter, search] = [columns.status?.name ?? '', this.#countedFilter, state.search];
      return {
        key: ['list', type.plural, 'counts', filter, search],
        load: (signal) => loadCounts({ client, type, signal }, { field, filter, search }),
        keepsPrevious: true,
        paused: columns.status === undefined || state.deleted,
      };
    });
    $effect(() => {
      const { error } = this;
      if (error instanceof RectoError && error.is('answer_too_large')) this.#isWithoutTitles = true;
    });
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
