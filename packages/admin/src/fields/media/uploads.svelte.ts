import { errorText } from '../../api/query.svelte.ts';
import { sameFile } from '../../api/same-file.ts';
import { session } from '../../app/session.svelte.ts';
import { t } from '../../text/text.ts';
import { toast } from '../../ui/toasts.svelte.ts';
import { type FileValue, fileValue } from './file-value.ts';

/** A file on its way to the library. */
export interface Upload {
  readonly key: number;
  readonly name: string;
  /** Of 1. */
  readonly share: number;
  /** What went wrong; undefined: nothing. */
  readonly failure: string | undefined;
}

/** The uploads of one field. */
export class Uploads {
  #all = $state.raw<readonly Upload[]>([]);
  #stops = new Map<number, AbortController>();
  #last = 0;

  get all(): readonly Upload[] {
    return this.#all;
  }

  /** Uploads a file. Resolves with what the field holds then; undefined: it failed, which is shown, or was cancelled. */
  async add(file: File): Promise<FileValue | undefined> {
    this.#last += 1;
    const key = this.#last;
    const stop = new AbortController();
    this.#stops.set(key, stop);
    this.#all = [...this.#all, { key, name: file.name, share: 0, failure: undefined }];
    try {
      const onProgress = (sent: number, size: number): void => this.#put(key, { share: size === 0 ? 1 : sent / size });
      const record = await session.client.media.upload(file, { signal: stop.signal, timeout: 600_000, onProgress });
      this.remove(key);
      void reportSame(record);
      return fileValue(record);
    } catch (error) {
      if (stop.signal.aborted) this.remove(key);
      else this.#put(key, { failure: errorText(error) });
      return undefined;
    }
  }

  cancel(key: number): void {
    this.#stops.get(key)?.abort();
    this.remove(key);
  }

  remove(key: number): void {
    this.#stops.delete(key);
    this.#all = this.#all.filter((upload) => upload.key !== key);
  }

  #put(key: number, change: Partial<Upload>): void {
    this.#all = this.#all.map((upload) => (upload.key === key ? { ...upload, ...change } : upload));
  }
}

/** Says that the library had the bytes of an upload before. Nothing waits for it. */
async function reportSame(record: Readonly<Record<string, unknown>>): Promise<void> {
  const same = await sameFile(record);
  if (same !== undefined) toast(t('fields.sameFile', { name: same.name }), { kind: 'info' });
}
