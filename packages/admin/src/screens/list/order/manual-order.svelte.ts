import { untrack } from 'svelte';
import { errorText } from '../../../api/query.svelte.ts';
import { session } from '../../../app/session.svelte.ts';
import { t } from '../../../text/text.ts';
import { toast } from '../../../ui/toasts.svelte.ts';
import type { ListAddress } from '../data/list-address.svelte.ts';
import type { ListData } from '../data/list-data.svelte.ts';
import type { ListRecord } from '../data/list-record.ts';
import { adminPath, effectiveSort, orderField } from '../data/list-requests.ts';
import { recordTitle } from '../table/record-text.ts';
import { moved, newPositions } from './positions.ts';

/** Records that people put in an order by hand. */
export class ManualOrder {
  readonly #address: ListAddress;
  readonly #data: ListData;
  /** The order that was just made, until the service returns it. */
  #made = $state.raw<readonly ListRecord[]>();
  /** The last move that was sent: one follows the other, because a key that is held down is faster than the service. */
  #sent: Promise<unknown> = Promise.resolve();
  #pending = 0;
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
    // What the service returns is the order from then on, unless moves of these records are still under way.
    $effect.pre(() => {
      const { rows } = data;
      const ids = new Set(untrack(() => this.#made)?.map(({ id }) => id));
      if (this.#pending === 0 || rows.some(({ id }) => !ids.has(id))) this.#made = undefined;
    });
  }

  /** Shows the record at its new place at once, then stores it. Whether there was something to move. */
  move(from: number, to: number): boolean {
    const field = this.#field;
    const record = this.rows[from];
    if (field === undefined || record === undefined) return false;
    const order = moved(this.rows, from, to);
    const placed = order.map(({ id, [field]: position }) => ({
      id,
      position: typeof position === 'number' ? position : null,
    }));
    const positions = new Map(newPositions(placed).map(({ id, position }) => [id, position]));
    this.#made = order.map((each) => {
      const position = positions.get(each.id);
      return position === undefined ? each : { ...each, [field]: position };
    });
    const items = [...positions].map(([id, position]) => ({ id, [field]: position }));
    void this.#store(items, t('list.movedTo', { title: recordTitle(record, this.#address.type), position: to + 1 }));
    return true;
  }

  async #store(items: readonly Readonly<Record<string, unknown>>[], done: string): Promise<void> {
    const path = `${adminPath(this.#address.type)}/reorder`;
    this.#pending += 1;
    const sent = this.#sent.then(() => session.client.request('PUT', path, { body: { items } }));
    this.#sent = sent;
    try {
      await sent;
      this.announced = done;
    } catch (problem) {
      // The moves behind it fail with it, which is reported once.
      if (this.#made !== undefined) toast(errorText(problem), { kind: 'error' });
      this.#made = undefined;
    } finally {
      this.#pending -= 1;
    }
    if (this.#pending > 0) return;
    this.#sent = Promise.resolve();
    await this.#data.page.reload();
  }
}
