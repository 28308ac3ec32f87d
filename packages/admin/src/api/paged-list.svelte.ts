import type { RequestOptions } from '@recto/client';
import { session } from '../app/session.svelte.ts';

type Parameters = NonNullable<RequestOptions['query']>;

export interface PagedListOptions<Item, Question> {
  /** Below `/api/v1`. */
  readonly path: string;
  readonly pageSize: number;
  readonly parameters: (question: Question) => Parameters;
  /** Undefined for what is left out. */
  readonly read: (record: Readonly<Record<string, unknown>>) => Item | undefined;
}

interface ListPage {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly next_cursor?: string;
}

/** The most that one page has. */
const longestPage = 100;

/** Records that a screen shows, page after page below each other. Reactive. */
export class PagedList<Item extends { readonly id: string }, Question> {
  readonly #options: PagedListOptions<Item, Question>;
  #items = $state.raw<readonly Item[]>([]);
  #total = $state<number>();
  #cursor = $state<string>();
  #error = $state.raw<unknown>();
  #isLoading = $state(true);
  #isFirst = $state(true);
  #stop = new AbortController();
  #question: Question | undefined;

  constructor(options: PagedListOptions<Item, Question>) {
    this.#options = options;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Of all pages; undefined until it is known. */
  get total(): number | undefined {
    return this.#total;
  }

  get hasMore(): boolean {
    return this.#cursor !== undefined;
  }

  get error(): unknown {
    return this.#error;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Nothing has been shown yet. */
  get isFirst(): boolean {
    return this.#isFirst;
  }

  /** Shows the first page. What is shown stays until it is there. */
  load(question: Question): Promise<void> {
    this.#question = question;
    return this.#read(undefined, this.#options.pageSize);
  }

  /** What is shown, as it is now. */
  reload(): Promise<void> {
    return this.#read(undefined, Math.min(longestPage, Math.max(this.#options.pageSize, this.#items.length)));
  }

  async more(): Promise<void> {
    if (this.#cursor !== undefined && !this.#isLoading) await this.#read(this.#cursor, this.#options.pageSize);
  }

  /** Shows a record as it is now. */
  put(item: Item): void {
    this.#items = this.#items.map((each) => (each.id === item.id ? item : each));
  }

  /** Shows a new record first. */
  add(item: Item): void {
    if (this.#items.some(({ id }) => id === item.id)) return;
    this.#items = [item, ...this.#items];
    if (this.#total !== undefined) this.#total += 1;
  }

  remove(ids: ReadonlySet<string>): void {
    const left = this.#items.filter(({ id }) => !ids.has(id));
    if (this.#total !== undefined) this.#total -= this.#items.length - left.length;
    this.#items = left;
  }

  stop(): void {
    this.#stop.abort();
  }

  async #read(cursor: string | undefined, size: number): Promise<void> {
    if (this.#question === undefined) return;
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const { path, parameters, read } = this.#options;
    this.#isLoading = true;
    const place = cursor === undefined ? {} : { cursor, skip_total: true };
    try {
      const query = { page_size: size, ...parameters(this.#question), ...place };
      const page = await session.client.request<ListPage>('GET', path, { query, signal });
      const found = page.items.flatMap((record) => read(record) ?? []);
      const known = new Set(this.#items.map(({ id }) => id));
      this.#items = cursor === undefined ? found : [...this.#items, ...found.filter(({ id }) => !known.has(id))];
      if (cursor === undefined) this.#total = page.total;
      this.#cursor = page.next_cursor;
      this.#error = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.#error = error;
    }
    this.#isLoading = false;
    this.#isFirst = false;
  }
}
