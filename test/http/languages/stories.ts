import { expect } from 'bun:test';
import fc from 'fast-check';
import { type Tag, tags } from './reference.ts';
import type { ModelStory, Status, Words } from './reference-states.ts';

/** Stories in several languages, each with a status, a draft and a schedule of its own: what tests do with them, and what they compare. */

export const story = {
  singular: 'story',
  plural: 'stories',
  protocols: [
    { name: 'versionable', drafts: true },
    { name: 'statusable', values: ['draft', 'published'], by_language: true, schedule: 'published' },
  ],
  fields: [
    { name: 'title', field_type: 'text', max_length: 100, required: true, localized: true, indexed: true },
    { name: 'body', field_type: 'text', localized: true },
    { name: 'group', field_type: 'integer' },
  ],
  api: { list: { access: 'public' }, get: { access: 'public' } },
};

export const languages = { list: 'en,de,fr,fr-CA', fallbacks: { 'fr-CA': ['fr', 'en'] } } as const;

const tag = fc.constantFrom(...tags);
const word = fc.constantFrom('a', 'b', 'c', '', null);
const words: fc.Arbitrary<Words> = fc.record({ title: word, body: word }, { requiredKeys: [] });
/** What somebody does with a record. */
export type Step =
  | { readonly do: 'write' | 'draft'; readonly tag: Tag; readonly words: Words }
  | { readonly do: 'move'; readonly tag: Tag; readonly status: Status }
  | { readonly do: 'schedule'; readonly tag: Tag; readonly day: number | null }
  /** Time goes on. */
  | { readonly do: 'pass'; readonly day: number }
  | { readonly do: 'publish' | 'discard' | 'remove'; readonly tag: Tag }
  | { readonly do: 'publish all' }
  | { readonly do: 'restore'; readonly version: number };

const day = fc.integer({ min: 1, max: 9 });
const status = fc.constantFrom('draft' as const, 'published' as const);
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), tag, words }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), tag, status }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('schedule' as const), tag, day: fc.option(day) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), day }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('draft' as const), tag, words }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('publish' as const), tag }) },
  fc.record({ do: fc.constant('publish all' as const) }),
  fc.record({ do: fc.constantFrom('discard' as const, 'remove' as const), tag }),
  fc.record({ do: fc.constant('restore' as const), version: fc.integer({ min: 1, max: 8 }) }),
);

/** A request to the service as an admin, or with `isPublic` as nobody: a line such as `GET /api/v1/cms/stories`. */
export type Send = (
  line: string,
  body?: unknown,
  isPublic?: boolean,
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
) => Promise<{ readonly status: number; readonly json: any }>;

const root = '/api/v1/admin/cms/stories';
const timeOf = (day: number): string => `2998-01-0${day}T00:00:00.000Z`;

/** The request that is a step: a line and a body. Time passes without one. */
export function requestOf(id: string, step: Exclude<Step, { do: 'pass' }>): readonly [line: string, body?: unknown] {
  const one = `${root}/${id}`;
  switch (step.do) {
    case 'write':
      return [`PUT ${one}?language=${step.tag}`, step.words];
    case 'move':
      return [`PUT ${one}?language=${step.tag}`, { status: step.status }];
    case 'schedule':
      return [`PUT ${one}?language=${step.tag}`, { scheduled_at: step.day === null ? null : timeOf(step.day) }];
    case 'draft':
      return [`PUT ${one}?draft=true&language=${step.tag}`, step.words];
    case 'publish':
      return [`POST ${one}/publish?language=${step.tag}`];
    case 'publish all':
      return [`POST ${one}/publish?language=*`];
    case 'discard':
      return [`DELETE ${one}/draft?language=${step.tag}`];
    case 'remove':
      return [`DELETE ${one}/languages/${step.tag}`];
    case 'restore':
      return [`POST ${one}/revisions/${step.version}/restore`];
  }
}

/** Does a step in the model, and says what the service is to answer. */
export function expected(model: ModelStory, step: Step): number | undefined {
  switch (step.do) {
    case 'write':
      return model.write(step.tag, step.words);
    case 'move':
      return model.write(step.tag, {}, step.status);
    case 'schedule':
      return model.schedule(step.tag, step.day);
    case 'pass':
      model.pass(step.day);
      return undefined;
    case 'draft':
      return model.draft(step.tag, step.words);
    case 'publish':
      return model.publish(step.tag);
    case 'publish all':
      return model.publishAll();
    case 'discard':
      return model.drafts.delete(step.tag) ? 204 : 404;
    case 'remove':
      return model.remove(step.tag);
    case 'restore':
      return model.restore(step.version);
  }
}

/** Compares all that editors and the public are shown of a record, the only one of its group. */
export async function compare(
  send: Send,
  { id, group }: { readonly id: string; readonly group: number },
  model: ModelStory,
): Promise<void> {
  const states = (await send(`GET ${root}/${id}/languages`)).json.items;
  for (const [index, tag] of tags.entries()) {
    const { status, day } = model.state[tag];
    expect(states[index]).toMatchObject({
      language: tag,
      exists: model.saysAnything(tag),
      draft: model.drafts.has(tag),
      status,
      scheduled_at: day === null ? null : timeOf(day),
    });
    const edited = (await send(`GET ${root}/${id}?language=${tag}`)).json;
    expect(edited).toMatchObject({ title: model.own(tag, 'title'), body: model.own(tag, 'body'), status });
    for (const fallback of [true, false]) {
      const query = `language=${tag}&fallback=${fallback}`;
      const shown = model.shown(tag, fallback);
      const got = await send(`GET /api/v1/cms/stories/${id}?${query}`, undefined, true);
      expect([query, got.status]).toEqual([query, shown === undefined ? 404 : 200]);
      if (shown !== undefined) expect(got.json).toEqual({ id, ...shown, group, status: 'published' });
      for (const title of ['a', 'b', 'c']) {
        const found = await send(`GET /api/v1/cms/stories?${query}&group=${group}&title=${title}`, undefined, true);
        const ids = found.json.items.map((item: { id: string }) => item.id);
        expect([query, title, ids]).toEqual([query, title, shown?.title === title ? [id] : []]);
      }
      const listed = await send(`GET /api/v1/cms/stories?${query}&group=${group}&sort=title:asc`, undefined, true);
      expect(listed.json.total).toBe(shown === undefined ? 0 : 1);
    }
  }
  expect((await send(`GET ${root}/${id}/revisions?page_size=100`)).json.total).toBe(model.versions.length);
}
