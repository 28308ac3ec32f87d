// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { uploadRaw } from '../../http/media/media-calls.ts';
import { type Reply, TestService } from '../../support/service.ts';

// `include` in drafts and in revisions: the relations of values that are in no row, with the rights and within the budget of any read.

const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
  ...more,
});
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const definitions = [
  {
    singular: 'story',
    plural: 'stories',
    protocols: [
      { name: 'versionable', drafts: true },
      { name: 'statusable', values: ['new', 'live'], published: 'live' },
    ],
    fields: [
      text('title'),
      relation('writer', 'many_to_one', 'writers'),
      relation('others', 'many_to_many', 'writers'),
      relation('adviser', 'many_to_one', 'writers', { private: true }),
      { name: 'cover', field_type: 'media' },
      { name: 'gallery', field_type: 'media', multiple: true },
      {
        name: 'body',
        field_type: 'blocks',
        blocks: [
          { name: 'quote', fields: [text('words'), relation('by', 'many_to_one', 'writers')] },
          {
            name: 'figures',
            fields: [{ name: 'files', field_type: 'list', item: { field_type: 'media' } }],
          },
        ],
      },
    ],
  },
  {
    singular: 'writer',
    plural: 'writers',
    protocols: ['soft_deletable'],
    fields: [text('name'), text('iban', { private: true }), relation('team', 'many_to_one', 'teams')],
  },
  {
    singular: 'team',
    plural: 'teams',
    fields: [
      text('name'),
      {
        name: 'writers',
        field_type: 'relation',
        relation: { relation_type: 'one_to_many', target: 'writers', mapped_by: 'team' },
      },
    ],
  },
];
const budget = { included: 6, bytes: 40_000 };

let service: TestService;
let team: string;
let writers: string[];
let file: Reply['json'];
beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true, budget });
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  team = (await made('teams', { name: 'night' })).id;
  writers = [];
  for (const name of ['one', 'two', 'three', 'four'])
    writers.push((await made('writers', { name, iban: name, team })).id);
  file = (await uploadRaw(service, new TextEncoder().encode('a file'), { as: 'ada', fields: { alt: 'A file' } })).json;
});
afterAll(() => service[Symbol.asyncDispose]());

const ok = async (line: string, body?: object, as = 'ada'): Promise<Reply['json']> => {
  const reply = await service.send(line, { as, ...(body === undefined ? {} : { body }) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.json;
};
const made = (plural: string, body: object): Promise<Reply['json']> => ok(`POST /api/v1/admin/cms/${plural}`, body);
const base = '/api/v1/admin/cms/stories';

/** A published story that has one of each, and a draft of it that has another of each. */
async function drafted(): Promise<{ readonly path: string; readonly values: object }> {
  const [one, two, three] = writers;
  const before = { title: 'a', status: 'live', writer: one, others: [one], adviser: one, cover: null, body: [] };
  const { id } = await made('stories', before);
  const body = [
    { block: 'quote', words: 'w', by: three },
    { block: 'figures', files: [file.id] },
  ];
  const values = {
    title: 'b',
    writer: two,
    others: [three, two],
    adviser: two,
    cover: file.id,
    gallery: [file.id],
    body,
  };
  await ok(`PUT ${base}/${id}?draft=true`, values);
  return { path: `${base}/${id}`, values };
}

const paths = 'writer.team,others,body.by,adviser';

describe('a draft', () => {
  test('shows with include what the published record shows with it', async () => {
    const { path } = await drafted();
    const preview = await ok(`GET ${path}?draft=true&include=${paths}`);
    await ok(`POST ${path}/publish`);
    const after = await ok(`GET ${path}?include=${paths}`);
    expect(preview.writer).toMatchObject({ name: 'two', iban: 'two', team: { name: 'night' } });
    expect(preview.others.map(({ name }: Reply['json']) => name)).toEqual(['three', 'two']);
    expect(preview.body[0].by).toMatchObject({ name: 'three', team });
    expect({ ...preview, __draft: null }).toEqual(after);
  });

  test('shows files as the published record does', async () => {
    const { path } = await drafted();
    const preview = await ok(`GET ${path}?draft=true`);
    const withFile = await ok(`GET ${path}?draft=true&include=cover,gallery,body.files`);
    await ok(`POST ${path}/publish`);
    expect(preview.cover).toMatchObject({ id: file.id, url: file.url, alt: 'A file' });
    expect({ ...preview, __draft: null }).toEqual(await ok(`GET ${path}`));
    const after = await ok(`GET ${path}?include=cover,gallery,body.files`);
    expect(withFile.body[1].files[0]).toMatchObject({ id: file.id, hash: file.hash });
    expect({ ...withFile, __draft: null }).toEqual(after);
  });

  test('answers to a change as to a read, which If-Match names', async () => {
    const { path } = await drafted();
    const read = await service.send(`GET ${path}?draft=true`, { as: 'ada' });
    const etag = read.headers.get('etag') ?? '';
    const sent = { as: 'ada', headers: { 'If-Match': etag }, body: { title: 'c' } };
    const changed = await service.send(`PUT ${path}?draft=true`, sent);
    expect(changed.json).toEqual({ ...read.json, title: 'c', __draft: changed.json.__draft });
    expect((await service.send(`PUT ${path}?draft=true`, sent)).status).toBe(409);
  });

  test('includes what is not in the draft too, and nobody whom admins do not see', async () => {
    const { id } = await made('stories', { title: 'a', status: 'live', writer: writers[0], others: [writers[0]] });
    const gone = await made('writers', { name: 'gone' });
    await ok(`PUT ${base}/${id}?draft=true`, { others: [gone.id, writers[1]], adviser: gone.id });
    await service.send(`DELETE /api/v1/admin/cms/writers/${gone.id}`, { as: 'ada' });
    const shown = await ok(`GET ${base}/${id}?draft=true&include=writer,others,adviser`);
    expect(shown).toMatchObject({ writer: { name: 'one' }, others: [{ name: 'two' }], adviser: null });
    expect(shown.others.length).toBe(1);
  });

  test('is held to the budget, together with what the record includes itself', async () => {
    const [one] = writers;
    const { id } = await made('stories', { title: 'a', status: 'live', writer: one, others: writers });
    const quotes = (count: number) => Array.from({ length: count }, () => ({ block: 'quote', words: '', by: one }));
    await ok(`PUT ${base}/${id}?draft=true`, { body: quotes(3) });
    const include = (names: string) => service.send(`GET ${base}/${id}?draft=true&include=${names}`, { as: 'ada' });
    expect((await include('others,body.by')).json.code).toBe('answer_too_large');
    expect((await include('writer,body.by')).status).toBe(200);
    expect((await include('body.by.team')).status).toBe(200);
    await ok(`PUT ${base}/${id}?draft=true`, { body: quotes(4) });
    expect((await include('body.by.team')).json.code).toBe('answer_too_large');
    expect((await include('body.by.team.writers')).json.code).toBe('answer_too_large');
  });

  test('takes what any read takes, and no more', async () => {
    const { path } = await drafted();
    for (const query of ['include=nobody', 'include=writer.nobody', 'include=a.b.c.d.e', 'include=body.words']) {
      expect((await service.send(`GET ${path}?draft=true&${query}`, { as: 'ada' })).status).toBe(400);
    }
    expect((await service.send(`GET ${path}?draft=true&include=`, { as: 'ada' })).status).toBe(200);
  });
});

describe('a revision', () => {
  test('shows with include the records as they are now', async () => {
    const { path } = await drafted();
    await ok(`POST ${path}/publish`);
    const first = await ok(`GET ${path}/revisions/1?include=${paths},cover`);
    expect(first.record).toMatchObject({
      ...{ title: 'a', cover: null, body: [] },
      ...{ writer: { name: 'one', team: { name: 'night' } }, others: [{ name: 'one' }], adviser: { name: 'one' } },
    });
    const second = await ok(`GET ${path}/revisions/2?include=writer.team,others,adviser`);
    const now = await ok(`GET ${path}?include=writer.team,others,adviser`);
    for (const name of ['writer', 'others', 'adviser']) expect(second.record[name]).toEqual(now[name]);
    const withFiles = await ok(`GET ${path}/revisions/2?include=cover,body.by,body.files`);
    const files = await ok(`GET ${path}?include=cover,body.by,body.files`);
    for (const name of ['cover', 'body']) expect(withFiles.record[name]).toEqual(files[name]);
    // Without it, and of what it does not name, versions have ids.
    const plain = await ok(`GET ${path}/revisions/2`);
    expect(plain.record).toMatchObject({ writer: writers[1], cover: file.id, gallery: [file.id] });
    expect(second.record.gallery).toEqual([file.id]);
  });

  test('keeps from editors what is private, also by include', async () => {
    const { path } = await drafted();
    const names = 'writer,adviser';
    expect(await ok(`GET ${path}/revisions/1?include=${names}`, undefined, 'ada')).toHaveProperty(
      'record.adviser.name',
    );
    const shown = (await ok(`GET ${path}/revisions/1?include=${names}`, undefined, 'eve')).record;
    expect(shown.writer.name).toBe('one');
    expect(Object.keys(shown)).not.toContain('adviser');
  });

  test('is held to the budget, and takes what any read takes', async () => {
    const quotes = Array.from({ length: 4 }, () => ({ block: 'quote', words: '', by: writers[0] }));
    const { id } = await made('stories', { title: 'a', body: quotes });
    const include = (names: string) => service.send(`GET ${base}/${id}/revisions/1?${names}`, { as: 'ada' });
    expect((await include('include=body.by')).status).toBe(200);
    expect((await include('include=body.by.team')).json.code).toBe('answer_too_large');
    for (const query of ['include=nobody', 'include=a.b.c.d.e', 'x=1', 'draft=true']) {
      expect((await include(query)).status).toBe(400);
    }
  });

  test('leaves out records that are gone, which a restore names', async () => {
    const writer = await made('writers', { name: 'five' });
    const { id } = await made('stories', { title: 'a', others: [writer.id, writers[0]], writer: writer.id });
    await ok(`PUT ${base}/${id}`, { title: 'b', others: [], writer: null });
    await service.send(`DELETE /api/v1/admin/cms/writers/${writer.id}`, { as: 'ada' });
    const { record } = await ok(`GET ${base}/${id}/revisions/1?include=others,writer`);
    expect([record.writer, record.others.map(({ name }: Reply['json']) => name)]).toEqual([null, ['one']]);
    const restored = await service.send(`POST ${base}/${id}/revisions/1/restore`, { as: 'ada' });
    expect(restored.status).toBe(422);
    expect(restored.json.errors.map(({ field }: Reply['json']) => field).toSorted()).toEqual(['others[0]', 'writer']);
  });
});
