// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';
import { quarters, uploadRaw } from '../media/media-calls.ts';

// A file that only the draft of some language shows is in use: whoever deletes it would break that draft.

const drafted = ['timestampable', 'statusable', { name: 'versionable', drafts: true }];
const article = {
  singular: 'article',
  plural: 'articles',
  protocols: drafted,
  fields: [
    { name: 'title', field_type: 'text', required: true, localized: true },
    { name: 'cover', field_type: 'media', localized: true },
    { name: 'secret', field_type: 'media', localized: true },
    { name: 'photo', field_type: 'media' },
  ],
};
const reader = { name: 'reader', base: 'editor', types: { article: { read: { except: ['secret'] } } } };
const outsider = { name: 'outsider', types: {}, may: { media: 'all' } };

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([article], { languages: 'en,de,fr', builtIn: true, roles: [reader, outsider] });
  await service.account('ann', 'admin');
  await service.account('eddy', 'editor');
  await service.account('rita', 'reader');
  await service.account('otto', 'outsider');
});
afterAll(() => service[Symbol.asyncDispose]());

const send = async (line: string, body?: unknown) => {
  const reply = await service.send(line.replace(' ', ' /api/v1/admin/'), { as: 'ann', ...(body ? { body } : {}) });
  if (reply.status >= 300) throw new Error(`${line}: ${reply.text}`);
  return reply.json;
};
let side = 8;
async function file(): Promise<string> {
  side += 1;
  return (await uploadRaw(service, await quarters(side, side), { as: 'ann', name: 'a.png', type: 'image/png' })).json
    .id;
}
async function published(title: string): Promise<string> {
  const { id } = await service.seed('articles', { title, status: 'published' });
  await send(`PUT cms/articles/${id}?language=de`, { title: `${title} (de)` });
  return id;
}
const uses = async (id: string, as = 'ann') => {
  const { json } = await service.send(`GET /api/v1/admin/media/${id}/uses`, { as });
  return json.drafts;
};

test('a file in a draft of another language is in use, as one in the default language is', async () => {
  const [inGerman, inEnglish, nowhere] = [await file(), await file(), await file()];
  const id = await published('Drafts');
  await send(`PUT cms/articles/${id}?draft=true&language=de`, { cover: inGerman });
  await send(`PUT cms/articles/${id}?draft=true`, { photo: inEnglish });
  expect(await uses(inGerman)).toEqual([{ type: 'article', id, fields: ['cover'] }]);
  expect(await uses(inEnglish)).toEqual([{ type: 'article', id, fields: ['photo'] }]);
  expect(await uses(nowhere)).toEqual([]);
});

test('drafts of several languages are one use, with the fields of each', async () => {
  const used = await file();
  const id = await published('Both');
  await send(`PUT cms/articles/${id}?draft=true&language=de`, { cover: used });
  await send(`PUT cms/articles/${id}?draft=true`, { photo: used });
  const [use, ...others] = await uses(used);
  expect(others).toEqual([]);
  expect(use).toMatchObject({ type: 'article', id });
  expect(use.fields.toSorted()).toEqual(['cover', 'photo']);
});

test('a draft that is published or discarded is no draft any more', async () => {
  const used = await file();
  const id = await published('Done');
  await send(`PUT cms/articles/${id}?draft=true&language=de`, { cover: used });
  await send(`POST cms/articles/${id}/publish?language=de`);
  expect(await uses(used)).toEqual([]);
  await send(`PUT cms/articles/${id}?draft=true&language=de`, { secret: used });
  await send(`DELETE cms/articles/${id}/draft?language=de`);
  expect(await uses(used)).toEqual([]);
});

test('a translation that is removed takes its draft along', async () => {
  const used = await file();
  const id = await published('Removed');
  await send(`PUT cms/articles/${id}?draft=true&language=de`, { cover: used });
  expect(await uses(used)).toHaveLength(1);
  await service.send(`DELETE /api/v1/admin/cms/articles/${id}/languages/de`, { as: 'ann' });
  expect(await uses(used)).toEqual([]);
});

test('roles that see no drafts, or not the type, know of none', async () => {
  const used = await file();
  const id = await published('Hidden');
  await send(`PUT cms/articles/${id}?draft=true&language=de`, { cover: used });
  expect(await uses(used, 'eddy')).toEqual([{ type: 'article', id, fields: ['cover'] }]);
  // A role that does not read all fields sees no drafts.
  expect(await uses(used, 'rita')).toEqual([]);
  expect(await uses(used, 'otto')).toEqual([]);
});
