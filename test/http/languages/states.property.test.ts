// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ScheduledUpdates } from '../../../packages/recto/src/records/batch/scheduled-updates.ts';
import { randomCases } from '../../support/random-cases.ts';
import { TestService } from '../../support/service.ts';
import { ModelStory } from './reference-states.ts';
import { compare, expected, languages, requestOf, type Send, type Step, step, story } from './stories.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([story], { languages: languages.list, languageFallbacks: languages.fallbacks });
  await service.account('ann', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const send: Send = (line, body, isPublic = false) =>
  service.send(line, { ...(isPublic ? {} : { as: 'ann' }), ...(body === undefined ? {} : { body }) });

/** Does a step in the service. Returns the status of the answer. */
async function make(id: string, step: Step): Promise<number | undefined> {
  if (step.do !== 'pass') return (await send(...requestOf(id, step))).status;
  // What cannot be made is tried at each time by another process.
  await new ScheduledUpdates(service.records, () => {}).run(`2998-01-0${step.day}T00:00:00.000Z`);
  return undefined;
}

test('the public sees of each language what a simple model says, whatever is written, published and planned', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const { json } = await send('POST /api/v1/admin/cms/stories', { title: 'a', group: 1 });
      const model = new ModelStory('a');
      for (const one of steps) {
        const outcome = expected(model, one);
        expect([one, await make(json.id, one)]).toEqual([one, outcome]);
      }
      await compare(send, { id: json.id, group: 1 }, model);
      expect((await send(`DELETE /api/v1/admin/cms/stories/${json.id}`)).status).toBe(204);
    }),
    { numRuns: randomCases(40) },
  );
}, 600_000);
