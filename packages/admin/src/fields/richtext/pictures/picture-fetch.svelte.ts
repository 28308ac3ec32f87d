import { errorText } from '../../../api/query.svelte.ts';
import { session } from '../../../app/session.svelte.ts';
import { t } from '../../../text/text.ts';
import '../../../text/en/pictures.ts';
import { toast } from '../../../ui/toasts.svelte.ts';
import { type FileValue, fileValue } from '../../media/file-value.ts';
import type { FarPicture, PictureText } from './picture-text.ts';

/** A picture that could not be fetched, and why. */
export interface FailedFetch {
  readonly source: string;
  readonly reason: string;
}

/** Has the service fetch the pictures of other sites in a text, and puts the files of the library in their place. */
export class PictureFetch {
  readonly #text: PictureText;
  #progress = $state.raw<{ readonly at: number; readonly of: number }>();
  #failed = $state.raw<readonly FailedFetch[]>([]);
  #stop: AbortController | undefined;

  constructor(text: PictureText) {
    this.#text = text;
  }

  /** Which one is being fetched; undefined: none. */
  get progress(): { readonly at: number; readonly of: number } | undefined {
    return this.#progress;
  }

  get failed(): readonly FailedFetch[] {
    return this.#failed;
  }

  /** What has been fetched by then is put in its place. */
  stop(): void {
    this.#stop?.abort();
  }

  async run(pictures: readonly FarPicture[]): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    this.#failed = [];
    const fetched = new Map<string, FileValue>();
    for (const [at, picture] of pictures.entries()) {
      this.#progress = { at: at + 1, of: pictures.length };
      try {
        const file = await fetchFile(picture, stop.signal);
        if (file !== undefined) fetched.set(picture.source, file);
      } catch (error) {
        if (stop.signal.aborted) break;
        this.#failed = [...this.#failed, { source: picture.source, reason: errorText(error) }];
      }
    }
    await this.#text.composed();
    this.#progress = undefined;
    this.#place(fetched);
  }

  #place(fetched: ReadonlyMap<string, FileValue>): void {
    if (fetched.size === 0 || this.#text.isGone) return;
    this.#text.place(fetched);
    toast(t('pictures.fetched', { count: fetched.size }));
  }
}

async function fetchFile({ address, alt }: FarPicture, signal: AbortSignal): Promise<FileValue | undefined> {
  const body = alt === '' ? { url: address } : { url: address, alt: alt.slice(0, 2000) };
  const record = await session.client.request<object>('POST', '/admin/media/fetch', { body, signal, timeout: 120_000 });
  return fileValue(record);
}
