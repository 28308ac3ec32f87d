import { errorText } from '../../api/query.svelte.ts';
import { session } from '../../app/session.svelte.ts';
import { t } from '../../text/text.ts';
import { toast } from '../../ui/toasts.svelte.ts';
import type { ListAddress } from './list-address.svelte.ts';
import type { ListData } from './list-data.svelte.ts';
import type { ListRecord } from './list-record.ts';
import { adminPath, effectiveSort, orderField } from './list-requests.ts';
import { moved, newPositions } from './positions.ts';
import { recordTitle } from './record-text.ts';

/** Records that people put in an order by hand. */
export class ManualOrder {
  readonly #address: ListAddress;
  readonly #data: ListData;
  /** The order that was just made, until the service returns it. */
  #made = $state.raw<readonly ListRecord[]>();
  /** For assistive techniques. */
  announced = $state('');

  readonly #field = $derived.by(() => orderField(this.#address.type));
  /** Whether the list shows the order that can be changed. */
  readonly isShown = $derived.by(() => {
    const { state, type } = this.#address;
    if (this.#field === undefined || state.deleted || state.search !== '' || state.place.from === 'end') return false;
    return effectiveSort(state, type) === `${this.#field}:asc` && !this.#data.isTree;
  });
  readonly rows = $derived.by(() => this.#made ?? this.#data.rows);

  /** Call it while a component is set up. */
  constructor(address: ListAddress, data: ListData) {
    this.#address = address;
    this.#data = data;
    // What the service returns is the order from then on.
    $effect.pre(() => {
      void data.page.data;
      this.#made = undefined;
    });
  }

  /** Whether the record is at its new place. */
  async move(from: number, to: number): Promise<boolean> {
    const field = this.#field;
    const { type } = this.#address;
    const record = this.rows[from];
    if (field === undefined || record === undefined) return false;
    const order = moved(this.rows, from, to);
    this.#made = order;
    const placed = order.map(({ id, [field]: position }) => ({
      id,
      position: typeof position === 'number' ? position : null,
    }));
    const items = newPositions(placed).map(({ id, position }) => ({ id, [field]: position }));
    try {
      await session.client.request('PUT', `${adminPath(type)}/reorder`, { body: { items } });
    } catch (problem) {
      this.#made = undefined;
      toast(errorText(problem), { kind: 'error' });
      return false;
    }
    await this.#data.page.reload();
    this.announced = t('list.movedTo', { title: recordTitle(record, type), position: to + 1 });
    return true;
  }
}
