import { errorText } from '../../api/query.svelte.ts';
import { session } from '../../app/session.svelte.ts';
import { isImage } from '../../fields/media/file-value.ts';
import { rememberFile } from '../../fields/media/known-files.svelte.ts';
import { t } from '../../text/text.ts';
import { type MediaFile, mediaFile } from './media-file.ts';

/** A picture and the alternative text that is being written for it. */
export interface AltEntry {
  /** As it was last read. */
  readonly file: MediaFile;
  readonly text: string;
  /** It has nothing to describe: its alternative text is empty. */
  readonly isDecorative: boolean;
  readonly isSaving: boolean;
  /** Why the last attempt to save failed. */
  readonly failure: string | undefined;
}

/** Whether nobody has described a picture yet. An empty text says that there is nothing to describe. */
export const lacksAlt = (file: MediaFile): boolean => isImage(file) && file.alt === null;

const entryOf = (file: MediaFile): AltEntry => ({
  file,
  text: file.alt ?? '',
  isDecorative: file.alt === '',
  isSaving: false,
  failure: undefined,
});

/** What an entry says: null while it says nothing. */
const wanted = ({ text, isDecorative }: AltEntry): string | null => (isDecorative ? '' : text.trim() || null);

const isUnsaved = (entry: AltEntry): boolean => wanted(entry) !== entry.file.alt;

/** Pictures whose alternative texts are written one after another. A text is saved when its picture is left. */
export class AltTexts {
  #entries = $state.raw<readonly AltEntry[]>([]);
  #at = $state(0);
  readonly #running = new Set<Promise<void>>();
  readonly #onSaved: (file: MediaFile) => void;

  constructor(onSaved: (file: MediaFile) => void) {
    this.#onSaved = onSaved;
  }

  get entries(): readonly AltEntry[] {
    return this.#entries;
  }

  get at(): number {
    return this.#at;
  }

  get current(): AltEntry | undefined {
    return this.#entries[this.#at];
  }

  /** How many have a text, or need none. */
  get done(): number {
    return this.#entries.filter(({ file }) => file.alt !== null).length;
  }

  /** Something is typed that the service does not have. */
  get isUnsaved(): boolean {
    return this.#entries.some((entry) => entry.isSaving || isUnsaved(entry));
  }

  /** Adds pictures behind those that are there. */
  add(files: readonly MediaFile[]): void {
    const known = new Set(this.#entries.map(({ file }) => file.id));
    this.#entries = [...this.#entries, ...files.filter((file) => isImage(file) && !known.has(file.id)).map(entryOf)];
  }

  /** Shows the first of these that has no text, where there is one. */
  start(files: readonly MediaFile[]): void {
    this.add(files);
    const ids = new Set(files.map(({ id }) => id));
    const given = this.#entries.filter(({ file }) => ids.has(file.id));
    const first = given.find(({ file }) => file.alt === null) ?? given[0];
    if (first !== undefined) this.go(this.#entries.indexOf(first));
  }

  /** What is typed for the picture that is shown: it has something to describe then. */
  type(text: string): void {
    if (this.current !== undefined) this.#put(this.current.file.id, { text, isDecorative: false });
  }

  setDecorative(isDecorative: boolean): void {
    if (this.current !== undefined) this.#put(this.current.file.id, { isDecorative });
  }

  /** Gives up what is typed for the picture that is shown. */
  discard(): void {
    const { current } = this;
    if (current !== undefined) this.#put(current.file.id, { ...entryOf(current.file), isSaving: current.isSaving });
  }

  /** Shows another picture. What was typed for the last one is saved meanwhile. */
  go(to: number): void {
    void this.#save(this.current);
    this.#at = Math.max(0, Math.min(to, this.#entries.length - 1));
  }

  /** Saves all that is typed. False when something could not be saved: its picture is shown then. */
  async saveAll(): Promise<boolean> {
    const tried = new Set<string>();
    for (;;) {
      await Promise.all(this.#running);
      const unsaved = this.#entries.find((entry) => isUnsaved(entry) && !tried.has(entry.file.id));
      if (unsaved === undefined) break;
      await this.#save(unsaved);
      const now = this.#entries.find(({ file }) => file.id === unsaved.file.id);
      if (now?.failure !== undefined) tried.add(unsaved.file.id);
    }
    const failed = this.#entries.findIndex(isUnsaved);
    if (failed !== -1) this.#at = failed;
    return failed === -1;
  }

  /** Takes away files that are deleted. */
  remove(ids: ReadonlySet<string>): void {
    const id = this.current?.file.id;
    const left = this.#entries.filter(({ file }) => !ids.has(file.id));
    const same = left.findIndex(({ file }) => file.id === id);
    this.#at = same === -1 ? Math.max(0, Math.min(this.#at, left.length - 1)) : same;
    this.#entries = left;
  }

  clear(): void {
    this.#entries = [];
    this.#at = 0;
  }

  #put(id: string, part: Partial<AltEntry>): void {
    this.#entries = this.#entries.map((entry) => (entry.file.id === id ? { ...entry, ...part } : entry));
  }

  #save(entry: AltEntry | undefined): Promise<void> | undefined {
    if (entry === undefined || entry.isSaving || !isUnsaved(entry)) return undefined;
    const run = this.#send(entry).finally(() => this.#running.delete(run));
    this.#running.add(run);
    return run;
  }

  async #send(entry: AltEntry): Promise<void> {
    const { id } = entry.file;
    const alt = wanted(entry);
    this.#put(id, { isSaving: true, failure: undefined });
    try {
      const files = session.client.admin.collection('media');
      // Read first: what somebody else has written meanwhile is shown, and not overwritten.
      const now = mediaFile(await files.get(id)) ?? entry.file;
      if (now.alt !== entry.file.alt && now.alt !== alt) {
        this.#put(id, { file: now, isSaving: false, failure: t('media.altTaken', { text: now.alt ?? '' }) });
        return;
      }
      const saved = now.alt === alt ? now : (mediaFile(await files.update(id, { alt })) ?? now);
      this.#put(id, { file: saved, isSaving: false });
      rememberFile(saved);
      this.#onSaved(saved);
    } catch (error) {
      this.#put(id, { isSaving: false, failure: errorText(error) });
      return;
    }
    // What was typed meanwhile. The picture may be shown again, or have been left again.
    const now = this.#entries.find(({ file }) => file.id === id);
    if (now !== undefined && now !== this.current) await this.#save(now);
  }
}
