import { knownName } from '../../../api/account-name.ts';
import type { ContentTypeInfo } from '../../../api/content-type-info.ts';
import { session } from '../../../app/session.svelte.ts';
import { t } from '../../../text/text.ts';
import { type NewNote, type Note, noteRoutes, type Person, type Quote } from './note-routes.ts';

/** What a new note is about. */
export interface Anchor {
  /** Null: the whole record. */
  readonly field: string | null;
  readonly language: string | null;
  readonly quote: Quote | null;
}

/** The first note of a thread, with its replies. */
export interface Thread {
  readonly first: Note;
  readonly replies: readonly Note[];
}

/** The notes on one record, for the panel that shows them and the form that marks them. */
export class RecordNotes {
  readonly #type: ContentTypeInfo;
  readonly #record: string;
  /** The language that the form shows; null: there is one for all. */
  readonly language: string | null;

  items = $state.raw<readonly Note[]>([]);
  error = $state.raw<unknown>();
  isLoaded = $state(false);
  showsResolved = $state(false);
  /** What is about to be written about; undefined: nothing. */
  anchor = $state.raw<Anchor>();
  /** The thread that was last gone to. */
  active = $state<string>();
  /** What of the panel is to get the focus as soon as it is there. */
  wanted = $state<string>();
  #names = $state.raw<ReadonlyMap<string, string>>(new Map());

  readonly threads = $derived.by((): readonly Thread[] => {
    const replies = Map.groupBy(
      this.items.filter(({ parent_id }) => parent_id !== null),
      ({ parent_id }) => parent_id,
    );
    return this.items
      .filter(({ parent_id }) => parent_id === null)
      .map((first) => ({ first, replies: replies.get(first.id) ?? [] }));
  });
  readonly open = $derived.by(() => this.threads.filter(({ first }) => first.resolved_at === null));
  readonly resolved = $derived.by(() => this.threads.filter(({ first }) => first.resolved_at !== null));
  readonly #counts = $derived.by(() => {
    const counts = new Map<string, number>();
    for (const { first } of this.open)
      if (first.field !== null && this.#isShown(first)) counts.set(first.field, (counts.get(first.field) ?? 0) + 1);
    return counts;
  });

  constructor(type: ContentTypeInfo, record: string, language: string | null) {
    this.#type = type;
    this.#record = record;
    this.language = language;
  }

  /** How many open threads there are about the field at a path, in the language that the form shows. */
  countAt(path: string): number {
    return this.#counts.get(path) ?? 0;
  }

  /** The open threads about a passage of the form as it is shown. */
  get quoted(): readonly Note[] {
    return this.open.flatMap(({ first }) => (first.quote !== null && this.#isShown(first) ? [first] : []));
  }

  #isShown({ language }: Note): boolean {
    return language === null || this.language === null || language === this.language;
  }

  /** How somebody is called who writes here. */
  name(id: string): string {
    if (id === session.account?.id) return t('editor.you');
    return this.#names.get(id) ?? t('editor.revisionSomebody');
  }

  load(): Promise<void> {
    return this.#load(false);
  }

  /** Loads them without being asked by anybody: where the session has ended, the password is asked for by what the person does next. */
  async look(): Promise<void> {
    if (session.status === 'signed-in') await session.inBackground(() => this.#load(true));
  }

  async #load(background: boolean): Promise<void> {
    try {
      const { items } = await noteRoutes.list(this.#type, this.#record, background);
      this.items = items;
      this.error = undefined;
      void this.#learnNames(items);
    } catch (error) {
      // What nobody asked for leaves what is shown.
      if (!background || !this.isLoaded) this.error = error;
    }
    this.isLoaded = true;
  }

  async #learnNames(items: readonly Note[]): Promise<void> {
    const unknown = new Set(items.flatMap(({ author, mentions }) => [author, ...mentions]));
    for (const id of this.#names.keys()) unknown.delete(id);
    if (session.account !== undefined) unknown.delete(session.account.id);
    if (unknown.size === 0) return;
    const people = await noteRoutes.people('').catch(() => ({ items: [] }));
    this.learn(people.items);
    for (const { id } of people.items) unknown.delete(id);
    for (const id of unknown) {
      const name = await knownName(id);
      if (name !== undefined) this.learn([{ id, name }]);
    }
  }

  learn(people: readonly Person[]): void {
    this.#names = new Map([...this.#names, ...people.map(({ id, name }) => [id, name] as const)]);
  }

  async write(note: NewNote, key: string): Promise<Note> {
    const made = await noteRoutes.create(this.#type, this.#record, note, key);
    this.items = [...this.items.filter(({ id }) => id !== made.id), made];
    return made;
  }

  async change(id: string, text: string, mentions: readonly string[]): Promise<void> {
    this.#replace(await noteRoutes.update(id, { text, mentions }));
  }

  async remove({ id }: Note): Promise<void> {
    await noteRoutes.remove(id);
    this.items = this.items.filter((note) => note.id !== id && note.parent_id !== id);
  }

  async resolve(id: string, resolved: boolean): Promise<void> {
    this.#replace(await noteRoutes.resolve(id, resolved));
  }

  #replace(note: Note): void {
    this.items = this.items.map((each) => (each.id === note.id ? note : each));
  }
}
