import { session } from '../../app/session.svelte.ts';
import { type MediaFile, mediaFile } from './media-file.ts';
import { listParameters, type MediaFilters } from './media-filters.ts';

const pageSize = 60;

/** The files that the library shows, page by page. */
export class MediaList {
  #files = $state.raw<readonly MediaFile[]>([]);
  #total = $state<number>();
  #cursor = $state<string>();
  #error = $state.raw<unknown>();
  #isLoading = $state(true);
  #isFirst = $state(true);
  #stop = new AbortController();
  #filters: MediaFilters | undefined;

  get files(): readonly MediaFile[] {
    return this.#files;
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

  /** Shows the first page of these files. What is shown stays until it is there. */
  load(filters: MediaFilters): Promise<void> {
    this.#filters = filters;
    return this.#read(undefined, pageSize);
  }

  /** What is shown, as it is now. */
  reload(): Promise<void> {
    return this.#read(undefined, Math.min(100, Math.max(pageSize, this.#files.length)));
  }

  async more(): Promise<void> {
    if (this.#cursor !== undefined && !this.#isLoading) await this.#read(this.#cursor, pageSize);
  }

  /** Shows a record as it is now. */
  put(file: MediaFile): void {
    this.#files = this.#files.map((each) => (each.id === file.id ? file : each));
  }

  /** Shows a new file first. */
  add(file: MediaFile): void {
    if (this.#files.some(({ id }) => id === file.id)) return;
    this.#files = [file, ...this.#files];
    if (this.#total !== undefined) this.#total += 1;
  }

  remove(ids: ReadonlySet<string>): void {
    const left = this.#files.filter(({ id }) => !ids.has(id));
    if (this.#total !== undefined) this.#total -= this.#files.length - left.length;
    this.#files = left;
  }

  stop(): void {
    this.#stop.abort();
  }

  async #read(cursor: string | undefined, size: number): Promise<void> {
    if (this.#filters === undefined) return;
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#isLoading = true;
    const place = cursor === undefined ? {} : { cursor, skip_total: true };
    try {
      const query = { page_size: size, ...listParameters(this.#filters), ...place };
      const page = await session.client.request<MediaPage>('GET', '/admin/media', { query, signal });
      const read = page.items.flatMap((record) => mediaFile(record) ?? []);
      const known = new Set(this.#files.map(({ id }) => id));
      this.#files = cursor === undefined ? read : [...this.#files, ...read.filter(({ id }) => !known.has(id))];
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

interface MediaPage {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly next_cursor?: string;
}
