/** What records say in several languages, written apart from the service: a simple model to compare it with. */

export const tags = ['en', 'de', 'fr', 'fr-CA'] as const;
export type Tag = (typeof tags)[number];
export const chains: Readonly<Record<Tag, readonly Tag[]>> = {
  en: [],
  de: ['en'],
  fr: ['en'],
  'fr-CA': ['fr', 'en'],
};

export const localized = ['title', 'slug', 'body'] as const;
export type Localized = (typeof localized)[number];
export type Words = Partial<Record<Localized, string | null>>;

interface State {
  readonly points: number;
  readonly words: Readonly<Record<Tag, Words>>;
}

/** What a language is to say next, and what it said of that when it was drafted. */
export interface ModelDraft<Name extends string> {
  readonly changes: Partial<Readonly<Record<Name, string | null>>>;
  readonly base: Partial<Readonly<Record<Name, string | null>>>;
}

/** A draft with more words; undefined where nothing is left. What is as the language says it is no change. */
export function drafted<Name extends string>(
  draft: ModelDraft<Name> | undefined,
  words: ModelDraft<Name>['changes'],
  names: readonly Name[],
  own: (name: Name) => string | null,
): ModelDraft<Name> | undefined {
  const changes: Partial<Record<Name, string | null>> = { ...draft?.changes };
  const base: Partial<Record<Name, string | null>> = { ...draft?.base };
  for (const name of names) {
    if (!(name in words)) continue;
    const now = own(name);
    if ((words[name] ?? null) === now) {
      delete changes[name];
      delete base[name];
    } else {
      if (!(name in changes)) base[name] = now;
      changes[name] = words[name] ?? null;
    }
  }
  return Object.keys(changes).length === 0 ? undefined : { changes, base };
}

/** A record, with its versions: the first is number 1. */
export class ModelRecord {
  readonly versions: State[];
  readonly drafts = new Map<Tag, ModelDraft<Localized>>();

  constructor(points: number, words: Words) {
    this.versions = [{ points, words: { en: words, de: {}, fr: {}, 'fr-CA': {} } }];
  }

  get state(): State {
    const now = this.versions.at(-1);
    if (now === undefined) throw new Error('A record has a version.');
    return now;
  }

  /** What a language shows of a field. */
  shown(tag: Tag, field: Localized, fallback: boolean): string | null {
    const chain = fallback ? [tag, ...chains[tag]] : [tag];
    for (const each of chain) {
      const value = this.state.words[each][field] ?? null;
      if (value !== null) return value;
    }
    return null;
  }

  own(tag: Tag, field: Localized): string | null {
    return this.state.words[tag][field] ?? null;
  }

  fellBack(tag: Tag): readonly Localized[] {
    return localized.filter((field) => this.own(tag, field) === null && this.shown(tag, field, true) !== null);
  }

  languages(): readonly Tag[] {
    return tags.filter((tag) => tag === 'en' || localized.some((field) => this.own(tag, field) !== null));
  }

  /** A version, if anything changes. */
  write(tag: Tag, words: Words, points = this.state.points): void {
    const { state } = this;
    const next = { points, words: { ...state.words, [tag]: { ...state.words[tag], ...words } } };
    this.#add(next);
  }

  draft(tag: Tag, words: Words): void {
    const draft = drafted(this.drafts.get(tag), words, localized, (field) => this.own(tag, field));
    if (draft === undefined) this.drafts.delete(tag);
    else this.drafts.set(tag, draft);
  }

  /** Whether what was drafted has been changed since, and not to the same. */
  isInConflict(tag: Tag): boolean {
    const draft = this.drafts.get(tag);
    if (draft === undefined) return false;
    return localized.some((field) => {
      if (!(field in draft.changes)) return false;
      const now = this.own(tag, field);
      return now !== (draft.base[field] ?? null) && now !== (draft.changes[field] ?? null);
    });
  }

  publish(tag: Tag): void {
    const draft = this.drafts.get(tag);
    this.drafts.delete(tag);
    if (draft !== undefined) this.write(tag, draft.changes);
  }

  restore(version: number): void {
    const state = this.versions[version - 1];
    if (state !== undefined) this.#add(state);
  }

  #add(next: State): void {
    const same = (a: State, b: State) =>
      a.points === b.points &&
      tags.every((tag) => localized.every((field) => (a.words[tag][field] ?? null) === (b.words[tag][field] ?? null)));
    if (!same(this.state, next)) this.versions.push(next);
  }
}
