import { errorText } from '../../api/query.svelte.ts';
import { type SameFile, sameFile } from '../../api/same-file.ts';
import { session } from '../../app/session.svelte.ts';
import { type MediaFile, mediaFile } from './media-file.ts';

export interface QueuedFile {
  readonly key: number;
  readonly file: File;
  readonly folder: string | null;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** Bytes that the service has. */
  readonly sent: number;
  /** Of one that failed. */
  readonly failure: string | undefined;
  /** What it has become. */
  readonly made: MediaFile | undefined;
  /** A file that was in the library before, with the same bytes. */
  readonly same: SameFile | undefined;
}

/** So many at a time: more would share the same connection. */
const atOnce = 3;

/** Files on their way to the library. One that failed goes on where it was. */
export class UploadQueue {
  #all = $state.raw<readonly QueuedFile[]>([]);
  readonly #stops = new Map<number, AbortController>();
  readonly #resume = new Map<number, { address?: string | undefined }>();
  readonly #onDone: (file: MediaFile, key: number) => void;
  readonly #onRemoved: (file: MediaFile) => void;
  #last = 0;

  /**
   * `onDone` gets the keys of entries, which are in the order in which the files were given; `onRemoved` the files that are removed again,
   * because the library had their bytes.
   */
  constructor(onDone: (file: MediaFile, key: number) => void, onRemoved: (file: MediaFile) => void) {
    this.#onDone = onDone;
    this.#onRemoved = onRemoved;
  }

  get all(): readonly QueuedFile[] {
    return this.#all;
  }

  get isRunning(): boolean {
    return this.#all.some(({ state }) => state === 'waiting' || state === 'running');
  }

  /** Pictures are on their way. */
  get hasPictures(): boolean {
    return this.#all.some(
      ({ state, file }) => (state === 'waiting' || state === 'running') && file.type.startsWith('image/'),
    );
  }

  add(files: Iterable<File>, folder: string | null): void {
    const added = [...files].map((file): QueuedFile => {
      this.#last += 1;
      return {
        key: this.#last,
        file,
        folder,
        state: 'waiting',
        sent: 0,
        failure: undefined,
        made: undefined,
        same: undefined,
      };
    });
    this.#all = [...this.#all, ...added];
    this.#next();
  }

  retry(key: number): void {
    this.#put(key, { state: 'waiting', failure: undefined });
    this.#next();
  }

  /** Ends an upload, or takes its entry away. */
  remove(key: number): void {
    this.#stops.get(key)?.abort();
    this.#stops.delete(key);
    this.#resume.delete(key);
    this.#all = this.#all.filter((each) => each.key !== key);
    this.#next();
  }

  /** Removes a file from the library again, which had its bytes before. */
  async keepEarlier({ key, made }: QueuedFile): Promise<void> {
    if (made === undefined) return;
    try {
      await session.client.admin.collection('media').delete(made.id, { if_match: false });
    } catch (error) {
      this.#put(key, { failure: errorText(error) });
      return;
    }
    this.remove(key);
    this.#onRemoved(made);
  }

  /** Ends all uploads and empties the list. */
  clear(): void {
    for (const { key } of this.#all) this.remove(key);
  }

  #next(): void {
    const free = atOnce - this.#all.filter(({ state }) => state === 'running').length;
    for (const queued of this.#all.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free)))
      void this.#run(queued);
  }

  async #run({ key, file, folder }: QueuedFile): Promise<void> {
    const stop = new AbortController();
    this.#stops.set(key, stop);
    const resume = this.#resume.get(key) ?? {};
    this.#resume.set(key, resume);
    this.#put(key, { state: 'running' });
    try {
      const onProgress = (sent: number): void => this.#put(key, { sent });
      const about = folder === null ? {} : { folder };
      const options = { ...about, resume, signal: stop.signal, timeout: 600_000, onProgress };
      const record = await session.client.media.upload(file, options);
      const made = mediaFile(record);
      this.#put(key, { state: 'done', sent: file.size, made });
      if (made !== undefined) this.#onDone(made, key);
      // Nothing waits for it.
      void sameFile(record).then((same) => this.#put(key, { same }));
    } catch (error) {
      if (!stop.signal.aborted) this.#put(key, { state: 'failed', failure: errorText(error) });
    }
    this.#next();
  }

  #put(key: number, change: Partial<QueuedFile>): void {
    this.#all = this.#all.map((each) => (each.key === key ? { ...each, ...change } : each));
  }
}
