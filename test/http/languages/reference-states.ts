/** Records whose languages are published one by one, written apart from the service: a simple model to compare it with. */

import { chains, drafted, type ModelDraft, type Tag, tags } from './reference.ts';

export const said = ['title', 'body'] as const;
export type Said = (typeof said)[number];
export type Words = Partial<Record<Said, string | null>>;
export type Status = 'draft' | 'published';

interface InLanguage {
  readonly words: Words;
  readonly status: Status;
  /** The day on which it is published. */
  readonly day: number | null;
}

type State = Readonly<Record<Tag, InLanguage>>;

const unwritten: InLanguage = { words: {}, status: 'draft', day: null };

/** What an operation is answered with: it is made, or refused. */
export type Outcome = 200 | 204 | 404 | 409 | 422;

export class ModelStory {
  /** The first is number 1. */
  readonly versions: State[];
  readonly drafts = new Map<Tag, ModelDraft<Said>>();

  constructor(title: string) {
    this.versions = [{ en: { ...unwritten, words: { title } }, de: unwritten, fr: unwritten, 'fr-CA': unwritten }];
  }

  get state(): State {
    const now = this.versions.at(-1);
    if (now === undefined) throw new Error('A record has a version.');
    return now;
  }

  own(tag: Tag, field: Said): string | null {
    return this.state[tag].words[field] ?? null;
  }

  saysAnything(tag: Tag): boolean {
    return tag === 'en' || said.some((field) => this.own(tag, field) !== null);
  }

  /** What the public is shown; undefined: no record. */
  shown(tag: Tag, fallback: boolean) {
    const chain = (fallback ? [tag, ...chains[tag]] : [tag]).filter((each) => this.state[each].status === 'published');
    if (chain.length === 0) return undefined;
    const value = (field: Said): string | null =>
      chain.map((each) => this.own(each, field)).find((each) => each !== null) ?? null;
    const isOwn = (field: Said): boolean => chain[0] === tag && this.own(tag, field) !== null;
    return {
      title: value('title'),
      body: value('body'),
      __language: tag,
      __languages: tags.filter((each) => this.state[each].status === 'published' && this.saysAnything(each)),
      __fallback: said.filter((field) => !isOwn(field) && value(field) !== null),
    };
  }

  write(tag: Tag, words: Words, status = this.state[tag].status): Outcome {
    if (tag === 'en' && 'title' in words && isEmpty(words.title)) return 422;
    return this.#set(tag, { words: { ...this.state[tag].words, ...words }, status });
  }

  schedule(tag: Tag, day: number | null): Outcome {
    const { status, day: known, ...now } = this.state[tag];
    if (day !== known && day !== null && status === 'published') return 422;
    this.#add({ ...this.state, [tag]: { ...now, status, day } });
    return 200;
  }

  /** Returns whether nothing was left undone that was due. */
  pass(day: number): void {
    for (const tag of tags) {
      const own = this.state[tag];
      if (own.day === null || own.day > day || isEmpty(own.words.title)) continue;
      this.#add({ ...this.state, [tag]: { ...own, status: 'published', day: null } });
    }
  }

  draft(tag: Tag, words: Words): Outcome {
    if (this.state[tag].status !== 'published') return 409;
    if (tag === 'en' && 'title' in words && isEmpty(words.title)) return 422;
    const draft = drafted(this.drafts.get(tag), words, said, (field) => this.own(tag, field));
    if (draft === undefined) this.drafts.delete(tag);
    else this.drafts.set(tag, draft);
    return 200;
  }

  publish(tag: Tag): Outcome {
    const draft = this.drafts.get(tag);
    if (draft === undefined && this.state[tag].status === 'published') return 409;
    const isChanged = said.some((field) => {
      if (draft === undefined || !(field in draft.changes)) return false;
      const now = this.own(tag, field);
      return now !== (draft.base[field] ?? null) && now !== (draft.changes[field] ?? null);
    });
    if (isChanged) return 409;
    const outcome = this.write(tag, draft?.changes ?? {}, 'published');
    if (outcome === 200) this.drafts.delete(tag);
    return outcome;
  }

  /** All that there is to publish, or nothing: the first that cannot be published says why. */
  publishAll(): Outcome {
    const { length } = this.versions;
    const drafts = new Map(this.drafts);
    const meant = tags.filter(
      (tag) => this.drafts.has(tag) || (this.state[tag].status !== 'published' && this.saysAnything(tag)),
    );
    if (meant.length === 0) return 409;
    for (const tag of meant) {
      const outcome = this.publish(tag);
      if (outcome === 200) continue;
      this.versions.length = length;
      for (const [each, draft] of drafts) this.drafts.set(each, draft);
      return outcome;
    }
    return 200;
  }

  remove(tag: Tag): Outcome {
    if (tag === 'en') return 422;
    if (!this.saysAnything(tag) && !this.drafts.has(tag)) return 404;
    this.drafts.delete(tag);
    this.#add({ ...this.state, [tag]: unwritten });
    return 204;
  }

  /** What all languages said, and the status of the default one. */
  restore(version: number): Outcome {
    const old = this.versions[version - 1];
    if (old === undefined) return 404;
    const next = Object.fromEntries(
      tags.map((tag) => {
        const [now, { words, status }] = [this.state[tag], old[tag]];
        if (tag !== 'en') return [tag, { ...now, words }];
        return [tag, { words, status, day: status === now.status ? now.day : null }];
      }),
    ) as Record<Tag, InLanguage>;
    if (tags.some((tag) => next[tag].status === 'published' && isEmpty(next[tag].words.title))) return 422;
    this.#add(next);
    return 200;
  }

  /** A status that is set by hand ends a schedule. */
  #set(tag: Tag, { words, status }: Pick<InLanguage, 'words' | 'status'>): Outcome {
    if (status === 'published' && isEmpty(words.title)) return 422;
    const { status: before, day } = this.state[tag];
    this.#add({ ...this.state, [tag]: { words, status, day: status === before ? day : null } });
    return 200;
  }

  /** A version, if anything changes. */
  #add(next: State): void {
    const same = (a: InLanguage, b: InLanguage) =>
      a.status === b.status &&
      a.day === b.day &&
      said.every((field) => (a.words[field] ?? null) === (b.words[field] ?? null));
    if (!tags.every((tag) => same(this.state[tag], next[tag]))) this.versions.push(next);
  }
}

const isEmpty = (text: string | null | undefined): boolean => (text ?? '') === '';
