// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../support/random-cases.ts';
import { TestService } from '../../support/service.ts';
import { article } from './articles.ts';
import { type Localized, localized, ModelRecord, type Tag, tags, type Words } from './reference.ts';

let service: TestService;
let group = 0;

beforeAll(async () => {
  const fields = article.fields.filter(({ name }) => ['title', 'slug', 'body', 'points'].includes(name));
  service = await TestService.open(
    [
      {
        ...article,
        protocols: [
          { name: 'versionable', drafts: true },
          { name: 'statusable', default: 'published' },
        ],
        fields: [...fields, { name: 'group', field_type: 'integer' }],
      },
    ],
    { languages: 'en,de,fr,fr-CA', languageFallbacks: { 'fr-CA': ['fr', 'en'] } },
  );
  await service.account('ann', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

type Step =
  | { readonly do: 'create'; readonly title: string; readonly slug: string | null }
  | {
      readonly do: 'write';
      readonly at: number;
      readonly tag: Tag;
      readonly words: Words;
      readonly points: number | null;
    }
  | { readonly do: 'put back'; readonly at: number; readonly tag: Tag; readonly body: string | null | undefined }
  | { readonly do: 'draft'; readonly at: number; readonly tag: Tag; readonly words: Words }
  | { readonly do: 'publish'; readonly at: number; readonly tag: Tag | '*' }
  | { readonly do: 'discard'; readonly at: number; readonly tag: Tag }
  | { readonly do: 'remove language'; readonly at: number; readonly tag: Tag }
  | { readonly do: 'restore'; readonly at: number; readonly version: number }
  | { readonly do: 'remove'; readonly at: number };

const tag = fc.constantFrom(...tags);
const at = fc.nat(3);
const word = fc.constantFrom('a', 'b', 'c', 'Ä', '', null);
const slug = fc.constantFrom('x', 'y', 'z', null);
const words = fc.record({ title: word, slug, body: word }, { requiredKeys: [] });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('create' as const), title: fc.constantFrom('a', 'b', 'c'), slug }),
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      at,
      tag,
      words,
      points: fc.option(fc.nat(3)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('put back' as const),
      at,
      tag,
      body: fc.constantFrom('a', null, undefined),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('draft' as const), at, tag, words }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('publish' as const), at, tag: fc.constantFrom(...tags, '*') }) },
  fc.record({ do: fc.constant('discard' as const), at, tag }),
  fc.record({ do: fc.constant('remove language' as const), at, tag }),
  fc.record({ do: fc.constant('restore' as const), at, version: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ do: fc.constant('remove' as const), at }),
);

const send = (line: string, body?: unknown) =>
  service.send(line.replace(' ', ' /api/v1/admin/cms/articles'), {
    as: 'ann',
    ...(body === undefined ? {} : { body }),
  });

/** The records of one history, as the model and the service have them. */
class History {
  readonly #records = new Map<string, ModelRecord>();
  readonly #group = ++group;

  #at(place: number): readonly [string, ModelRecord] | undefined {
    const all = [...this.#records];
    return all[place % Math.max(1, all.length)];
  }

  /** Slugs are unique in a language, among all histories. */
  #slug = (text: string | null): string | null => (text === null ? null : `g${this.#group}-${text}`);

  #isTaken(tag: Tag, slug: string | null | undefined, id: string | null): boolean {
    if (slug === null || slug === undefined) return false;
    return [...this.#records].some(([other, record]) => other !== id && record.own(tag, 'slug') === slug);
  }

  #own = (words: Words): Words => ('slug' in words ? { ...words, slug: this.#slug(words.slug ?? null) } : words);

  #isRejected(tag: Tag, own: Words, id: string): boolean {
    const isEmpty = tag === 'en' && 'title' in own && (own.title ?? '') === '';
    return isEmpty || this.#isTaken(tag, own.slug, id);
  }

  /** The drafts of one language or of all: each of them is published, or none. */
  async #publish(id: string, record: ModelRecord, tag: Tag | '*'): Promise<void> {
    const drafted = (tag === '*' ? tags : [tag]).filter((each) => record.drafts.has(each));
    const { status } = await send(`POST /${id}/publish?language=${tag}`);
    if (drafted.length === 0) return expect(status).toBe(409);
    // Of several drafts, the first that cannot be published says why none is.
    const wrong = drafted.map((each) => {
      if (record.isInConflict(each)) return 409;
      return this.#isTaken(each, record.drafts.get(each)?.changes.slug, id) ? 422 : undefined;
    });
    expect(status).toBe(wrong.find((each) => each !== undefined) ?? 200);
    if (status === 200) for (const each of drafted) record.publish(each);
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'create') return this.#create(step);
    const found = this.#at(step.at);
    if (found === undefined) return;
    const [id, record] = found;
    switch (step.do) {
      case 'write': {
        const own = this.#own(step.words);
        const sent = { ...own, ...(step.points === null ? {} : { points: step.points }) };
        const { status } = await send(`PUT /${id}?language=${step.tag}`, sent);
        const isRejected = this.#isRejected(step.tag, own, id);
        expect(status).toBe(isRejected ? 422 : 200);
        if (!isRejected) record.write(step.tag, own, step.points ?? record.state.points);
        return;
      }
      case 'put back': {
        const { json } = await send(`GET /${id}?language=${step.tag}&fallback=true`);
        const sent = step.body === undefined ? json : { ...json, body: step.body };
        expect((await send(`PUT /${id}?language=${step.tag}`, sent)).status).toBe(200);
        const isFallback =
          record.fellBack(step.tag).includes('body') && record.shown(step.tag, 'body', true) === step.body;
        if (step.body !== undefined && !isFallback) record.write(step.tag, { body: step.body });
        return;
      }
      case 'draft': {
        const own = this.#own(step.words);
        const { status } = await send(`PUT /${id}?draft=true&language=${step.tag}`, own);
        const isRejected = this.#isRejected(step.tag, own, id);
        expect(status).toBe(isRejected ? 422 : 200);
        if (!isRejected) record.draft(step.tag, own);
        return;
      }
      case 'publish':
        return this.#publish(id, record, step.tag);
      case 'discard': {
        const { status } = await send(`DELETE /${id}/draft?language=${step.tag}`);
        expect(status).toBe(record.drafts.delete(step.tag) ? 204 : 404);
        return;
      }
      case 'remove language': {
        const { status } = await send(`DELETE /${id}/languages/${step.tag}`);
        const isThere = record.languages().includes(step.tag) || record.drafts.has(step.tag);
        expect(status).toBe(step.tag === 'en' ? 422 : isThere ? 204 : 404);
        if (step.tag === 'en') return;
        record.drafts.delete(step.tag);
        record.write(step.tag, { title: null, slug: null, body: null });
        return;
      }
      case 'restore': {
        const version = record.versions[step.version - 1];
        const { status } = await send(`POST /${id}/revisions/${step.version}/restore`);
        if (version === undefined) return expect(status).toBe(404);
        const isTaken = tags.some((tag) => this.#isTaken(tag, version.words[tag].slug, id));
        expect(status).toBe(isTaken ? 422 : 200);
        if (!isTaken) record.restore(step.version);
        return;
      }
      case 'remove':
        expect((await send(`DELETE /${id}`)).status).toBe(204);
        this.#records.delete(id);
    }
  }

  async #create({ title, slug }: Extract<Step, { do: 'create' }>): Promise<void> {
    if (this.#records.size === 4) return;
    const own = { title, slug: this.#slug(slug) };
    const { status, json } = await send('POST ', { ...own, points: 0, group: this.#group });
    const isTaken = this.#isTaken('en', own.slug, null);
    expect(status).toBe(isTaken ? 422 : 201);
    if (!isTaken) this.#records.set(json.id, new ModelRecord(0, own));
  }

  async check(): Promise<void> {
    for (const tag of tags) {
      for (const fallback of [true, false]) {
        const query = `language=${tag}&fallback=${fallback}`;
        for (const [id, record] of this.#records) {
          const { json } = await send(`GET /${id}?${query}`);
          const draft = record.drafts.get(tag);
          const shown = (field: Localized) => [field, record.shown(tag, field, fallback)] as const;
          expect(json).toEqual({
            id,
            ...Object.fromEntries(localized.map(shown)),
            points: record.state.points,
            group: this.#group,
            status: 'published',
            __draft: draft === undefined ? null : expect.objectContaining(draft),
            __language: tag,
            __languages: record.languages(),
            __fallback: fallback ? record.fellBack(tag) : [],
          });
        }
        const titles = [...this.#records.values()].map((record) => record.shown(tag, 'title', fallback));
        const listed = (await send(`GET ?${query}&group=${this.#group}&sort=title:asc`)).json.items;
        const byCodePoint = (a: string | null, b: string | null) =>
          a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1;
        expect(listed.map(({ title }: { title: string }) => title)).toEqual(titles.toSorted(byCodePoint));
        for (const slug of ['x', 'y', 'z'].map(this.#slug)) {
          const found = (await send(`GET ?${query}&slug=${slug}`)).json.items.map(({ id }: { id: string }) => id);
          const meant = [...this.#records].filter(([, record]) => record.shown(tag, 'slug', fallback) === slug);
          expect(found.toSorted()).toEqual(meant.map(([id]) => id).toSorted());
        }
      }
    }
    for (const [id, record] of this.#records) {
      const { json } = await send(`GET /${id}/revisions?page_size=100`);
      expect(json.total).toBe(record.versions.length);
    }
  }
}

test('records say in each language what a simple model says, whatever is written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const history = new History();
      await history.take({ do: 'create', title: 'a', slug: 'x' });
      for (const step of steps) await history.take(step);
      await history.check();
    }),
    { numRuns: randomCases(40) },
  );
}, 600_000);
