// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

// HTML is sanitised whichever way it is written; Markdown and what says `sanitize = false` is stored as sent.

const sent = '<p onclick="alert(1)">Hello <b>you</b></p><script>alert(1)</script>';
const stored = '<p>Hello <b>you</b></p>';

const definitions = [
  {
    singular: 'text',
    plural: 'texts',
    protocols: [
      { name: 'versionable', drafts: true },
      { name: 'statusable', values: ['new', 'live'], published: 'live' },
    ],
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'html', field_type: 'richtext' },
      { name: 'short', field_type: 'richtext', max_length: 12, min_length: 3 },
      { name: 'needed', field_type: 'richtext', required: true, default: sent },
      { name: 'raw', field_type: 'richtext', format: 'html', sanitize: false },
      { name: 'markdown', field_type: 'richtext', format: 'markdown' },
    ],
  },
  { singular: 'site', kind: 'single', fields: [{ name: 'footer', field_type: 'richtext', default: sent }] },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true });
  await service.account('eve', 'editor');
  await service.account('mia');
});
afterAll(() => service[Symbol.asyncDispose]());

const ok = async (reply: Promise<Reply>, status = 200): Promise<Reply['json']> => {
  const { status: actual, text, json } = await reply;
  expect({ status: actual, text }).toEqual({ status, text });
  return json;
};
const create = (body: object) => service.send('POST /api/v1/cms/texts', { as: 'eve', body });

test('by the routes, and as a default', async () => {
  const made = await ok(create({ html: sent, raw: sent, markdown: sent }), 201);
  expect(made).toMatchObject({ html: stored, needed: stored, raw: sent, markdown: sent });
  const path = `/api/v1/cms/texts/${made.id}`;
  expect(await ok(service.send(`PUT ${path}`, { as: 'eve', body: { html: '<i onfocus=x>a' } }))).toMatchObject({
    html: '<i>a</i>',
  });
  const admin = await ok(service.send(`PATCH /api/v1/admin/cms/texts/${made.id}`, { as: 'eve', body: { html: sent } }));
  expect(admin.html).toBe(stored);
  // A fetched record can be sent back whole.
  expect(await ok(service.send(`PUT ${path}`, { as: 'eve', body: admin }))).toMatchObject({ html: stored, raw: sent });
});

test('as a draft, and when it is published', async () => {
  const { id } = await ok(create({ status: 'live' }), 201);
  const path = `/api/v1/admin/cms/texts/${id}`;
  await ok(service.send(`PUT ${path}?draft=true`, { as: 'eve', body: { html: sent } }));
  expect((await ok(service.send(`GET ${path}?draft=true`, { as: 'eve' }))).html).toBe(stored);
  await ok(service.send(`POST ${path}/publish`, { as: 'eve' }));
  expect((await ok(service.send(`GET /api/v1/cms/texts/${id}`))).html).toBe(stored);
});

test('in a single type, whose record begins with its defaults', async () => {
  expect((await ok(service.send('GET /api/v1/cms/site'))).footer).toBe(stored);
});

test.each(['posts', 'pages'])('the content of %s, of members too', async (plural) => {
  const made = await ok(
    service.send(`POST /api/v1/${plural}`, { as: 'mia', body: { title: 'A title', content: sent, excerpt: 'a < b' } }),
    201,
  );
  expect(made).toMatchObject({ content: stored, excerpt: 'a < b' });
});

test('lengths and required are those of what is stored', async () => {
  expect((await ok(create({ short: `abc${'<!-- no text -->'.repeat(20)}` }), 201)).short).toBe('abc');
  const { json: long } = await create({ short: 'a & b & c' });
  expect(long.errors).toMatchObject([{ field: 'short', code: 'too_long' }]);
  const { json: few } = await create({ short: 'a<script>bcdef</script>' });
  expect(few.errors).toMatchObject([{ field: 'short', code: 'too_short' }]);
  const { json: nothing } = await create({ needed: '<script>alert(1)</script>' });
  expect(nothing.errors).toMatchObject([{ field: 'needed', code: 'required' }]);
});

test('search finds the words, and nothing of what was taken out', async () => {
  const { id } = await ok(create({ html: '<p class="zebra">hip<b>po</b></p><script>giraffe</script>' }), 201);
  const found = async (word: string) =>
    (await ok(service.send(`GET /api/v1/cms/texts?search=${word}`))).items.map((item: { id: string }) => item.id);
  expect(await found('hippo')).toEqual([id]);
  expect(await found('zebra')).toEqual([]);
  expect(await found('giraffe')).toEqual([]);
});

test('no more elements inside one another than take little time to read', async () => {
  const deep = { title: 'A title', content: '<b></i>'.repeat(100_000) };
  const refused = await service.send('POST /api/v1/posts', { as: 'mia', body: deep });
  expect(refused).toMatchObject({ status: 422, json: { errors: [{ field: 'content', code: 'too_deep' }] } });
});
