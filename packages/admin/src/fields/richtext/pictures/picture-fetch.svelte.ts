import type { Editor } from '@tiptap/core';
import { errorText } from '../../../api/query.svelte.ts';
import { session } from '../../../app/session.svelte.ts';
import { t } from '../../../text/text.ts';
import '../../../text/en/pictures.ts';
import { toast } from '../../../ui/toasts.svelte.ts';
import { type FileValue, fileValue } from '../../media/file-value.ts';
import type { FarPicture } from './far-pictures.ts';
import { placeFetched } from './place-fetched.ts';

/** A picture that could not be fetched, and why. */
export interface FailedFetch {
  readonly source: string;
  readonly reason: string;
}

/** Has the service fetch the pictures of other sites in a text, and puts the files of the library in their place. */
export class PictureFetch {
  readonly #editor: Editor;
  /** Makes a change that is one step of the history. */
  readonly #change: (change: () => void) => void;
  #progress = $state.raw<{ readonly at: number; readonly of: number }>();
  #failed = $state.raw<readonly FailedFetch[]>([]);
  #stop: AbortController | undefined;

  constructor(editor: Editor, change: (change: () => void) => void) {
    this.#editor = editor;
    this.#change = change;
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
    await this.#composed();
    this.#progress = undefined;
    this.#place(fetched);
  }

  /** A change would break off what an input method composes. */
  async #composed(): Promise<void> {
    const { view, isDestroyed } = this.#editor;
    if (isDestroyed || !view.composing) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    view.dom.addEventListener('compositionend', () => resolve(), { once: true });
    await promise;
  }

  #place(fetched: ReadonlyMap<string, FileValue>): void {
    const editor = this.#editor;
    if (fetched.size === 0 || editor.isDestroyed) return;
    this.#change(() => {
      const { tr } = editor.state;
      placeFetched(tr, fetched);
      editor.view.dispatch(tr);
    });
    toast(t('pictures.fetched', { count: fetched.size }));
  }
}

async function fetchFile({ address, alt }: FarPicture, signal: AbortSignal): Promise<FileValue | undefined> {
  const body = alt === '' ? { url: address } : { url: address, alt: alt.slice(0, 2000) };
  const record = await session.client.request<object>('POST', '/admin/media/fetch', { body, signal, timeout: 120_000 });
  return fileValue(record);
}
