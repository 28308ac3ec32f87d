// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ScheduledUpdates } from '../../../packages/recto/src/records/batch/scheduled-updates.ts';
import { randomCases } from '../../support/random-cases.ts';
import { TestService } from '../../support/service.ts';
import { type Tag, tags } from './reference.ts';
import { ModelStory, type Status, type Words } from './reference-states.ts';

const story = {
  singular: 'story',
  plural: 'stories',
  protocols: [
    { name: 'versionable', drafts: true },
    { name: 'statusable', values: ['draft', 'published'], by_language: true, schedule: 'published' },
  ],
  fields: [
    { name: 'title', field_type: 'text', max_length: 100, required: true, localized: true, indexed: true },
    { name: 'body', field_type: 'text', localized: true },
  ],
  api: { list: { access: 'public' }, get: { access: 'public' } },
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([story], {
    languages: 'en,de,fr,fr-CA',
    languageFallbacks: { 'fr-CA': ['fr', 'en'] },
  });
  await service.account('ann', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const tag = fc.constantFrom(...tags);
const word = fc.constantFrom('a', 'b', 'c', '', null);
const words: fc.Arbitrary<Words> = fc.record({ title: word, body: word }, { requiredKeys: [] });
type Step =
  | { readonly do: 'write' | 'draft'; readonly tag: Tag; readonly words: Words }
  | { readonly do: 'move'; readonly tag: Tag; readonly status: Status }
  | { readonly do: 'schedule'; readonly tag: Tag; readonly day: number | null }
  | { readonly do: 'pass'; readonly day: number }
  | { readonly do: 'publish' | 'discard' | 'remove'; readonly tag: Tag }
  | { readonly do: 'publish all' }
  | { readonly do: 'restore'; readonly version: number };

const day = fc.integer({ min: 1, max: 9 });
const status = fc.constantFrom('draft' as const, 'published' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
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

const admin = (line: string, body?: unknown) =>
  service.send(line.replace(' ', ' /api/v1/admin/cms/stories/'), {
    as: 'ann',
    ...(body === undefined ? {} : { body }),
  });
const timeOf = (day: number): string => `2998-01-0${day}T00:00:00.000Z`;

/** Does a step in the service; the same in the model is in `expected`. Returns the status of the answer. */
async function make(id: string, step: Step): Promise<number | undefined> {
  switch (step.do) {
    case 'write':
      return (await admin(`PUT ${id}?language=${step.tag}`, step.words)).status;
    case 'move':
      return (await admin(`PUT ${id}?language=${step.tag}`, { status: step.status })).status;
    case 'schedule': {
      const time = step.day === null ? null : timeOf(step.day);
      return (await admin(`PUT ${id}?language=${step.tag}`, { scheduled_at: time })).status;
    }
    case 'pass':
      // What cannot be made is tried at each time by another process.
      await new ScheduledUpdates(service.records, () => {}).run(timeOf(step.day));
      return undefined;
    case 'draft':
      return (await admin(`PUT ${id}?draft=true&language=${step.tag}`, step.words)).status;
    case 'publish':
      return (await admin(`POST ${id}/publish?language=${step.tag}`)).status;
    case 'publish all':
      return (await admin(`POST ${id}/publish?language=*`)).status;
    case 'discard':
      return (await admin(`DELETE ${id}/draft?language=${step.tag}`)).status;
    case 'remove':
      return (await admin(`DELETE ${id}/languages/${step.tag}`)).status;
    case 'restore':
      return (await admin(`POST ${id}/revisions/${step.version}/restore`)).status;
  }
}

function expected(model: ModelStory, step: Step): number | undefined {
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

async function compare(id: string, model: ModelStory): Promise<void> {
  const states = (await admin(`GET ${id}/languages`)).json.items;
  for (const [index, tag] of tags.entries()) {
    const { status, day } = model.state[tag];
    expect(states[index]).toMatchObject({
      language: tag,
      exists: model.saysAnything(tag),
      draft: model.drafts.has(tag),
      status,
      scheduled_at: day === null ? null : timeOf(day),
    });
    const edited = (await admin(`GET ${id}?language=${tag}`)).json;
    expect(edited).toMatchObject({ title: model.own(tag, 'title'), body: model.own(tag, 'body'), status });
    for (const fallback of [true, false]) {
      const query = `language=${tag}&fallback=${fallback}`;
      const shown = model.shown(tag, fallback);
      const got = await service.send(`GET /api/v1/cms/stories/${id}?${query}`);
      expect([query, got.status]).toEqual([query, shown === undefined ? 404 : 200]);
      if (shown !== undefined) expect(got.json).toEqual({ id, ...shown, status: 'published' });
      for (const title of ['a', 'b', 'c']) {
        const found = await service.send(`GET /api/v1/cms/stories?${query}&title=${title}`);
        const ids = found.json.items.map((item: { id: string }) => item.id);
        expect([query, title, ids]).toEqual([query, title, shown?.title === title ? [id] : []]);
      }
      const listed = await service.send(`GET /api/v1/cms/stories?${query}&sort=title:asc`);
      expect(listed.json.total).toBe(shown === undefined ? 0 : 1);
    }
  }
  expect((await admin(`GET ${id}/revisions?page_size=100`)).json.total).toBe(model.versions.length);
}

test('the public sees of each language what a simple model says, whatever is written, published and planned', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const { json } = await service.send('POST /api/v1/admin/cms/stories', { as: 'ann', body: { title: 'a' } });
      const model = new ModelStory('a');
      for (const one of steps) {
        const outcome = expected(model, one);
        expect([one, await make(json.id, one)]).toEqual([one, outcome]);
      }
      await compare(json.id, model);
      expect((await admin(`DELETE ${json.id}`)).status).toBe(204);
    }),
    { numRuns: randomCases(40) },
  );
}, 600_000);
