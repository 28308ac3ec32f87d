import { session } from '../../../app/session.svelte.ts';
import type { ListAddress } from './list-address.svelte.ts';
import type { ListData } from './list-data.svelte.ts';
import { type LoadedTotal, lookForTotal } from './list-requests.ts';

/** How often others' new records are looked for, in milliseconds. */
const everyMs = 15_000;

/** Records that others made since the list was loaded. They are counted, and shown when the person asks for them. Reactive. */
export class ListNews {
  readonly #address: ListAddress;
  readonly #data: ListData;
  /** What was counted, and the total of the list by then: it holds for no other one. */
  #found = $state.raw<{ readonly total: number; readonly loaded: LoadedTotal }>();
  #looking: AbortController | undefined;

  /** How many more records match than when the list was loaded. */
  readonly count = $derived.by(() => {
    const { loadedTotal } = this.#data;
    if (loadedTotal === undefined || this.#found?.loaded !== loadedTotal) return 0;
    return Math.max(0, this.#found.total - loadedTotal.total);
  });

  /** Call it while a component is set up. */
  constructor(address: ListAddress, data: ListData) {
    this.#address = address;
    this.#data = data;
    $effect(() => {
      const timer = setInterval(() => document.hidden || void this.look(), everyMs);
      return () => {
        clearInterval(timer);
        this.#looking?.abort();
      };
    });
  }

  /** Counts once more. What fails is tried again later. */
  async look(): Promise<void> {
    const { loadedTotal: loaded } = this.#data;
    const { type, state } = this.#address;
    // Estimates differ although nothing is new.
    if (loaded === undefined || loaded.isEstimate || state.deleted || session.status !== 'signed-in') return;
    this.#looking?.abort();
    const looking = new AbortController();
    this.#looking = looking;
    try {
      const { client } = session;
      const total = await session.inBackground(() => lookForTotal({ client, type, state, signal: looking.signal }));
      if (!looking.signal.aborted) this.#found = { total, loaded };
    } catch {
      // Nobody asked for it.
    }
  }

  /** Loads the list again, with what is new. */
  readonly show = (): Promise<void> => this.#data.reload();
}
