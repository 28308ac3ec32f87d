import { test } from 'bun:test';
import { TestService } from '../service.ts';

/** Sends each of the requests whose paths are documented, and then once more the one that is asked for. */
test('requests', async () => {
  const fields = [
    { name: 'title', field_type: 'text', required: true },
    { name: 'body', field_type: 'text' },
    { name: 'slug', field_type: 'uid', target_field: 'title' },
  ];
  const definition = { singular: 'article', plural: 'articles', fields, api: { create: { access: 'public' } } };
  await using service = await TestService.open([definition], { builtIn: true, cacheSeconds: 0 });
  const { id } = await service.seed('articles', { title: 'first' });
  const expectStatus = async (status: number, line: string, sent: Parameters<typeof service.send>[1] = {}) => {
    const reply = await service.send(line, { as: 'seeding-admin', ...sent });
    if (reply.status !== status) throw new Error(`${line}: ${reply.text}`);
  };
  let sent = 0;
  const list = '/api/v1/cms/articles?title=first&page_size=5';
  const requests: Readonly<Record<string, () => Promise<void>>> = {
    list: () => expectStatus(200, `GET ${list}`),
    read: () => expectStatus(200, `GET /api/v1/cms/articles/${id}`),
    create: () => expectStatus(201, 'POST /api/v1/cms/articles', { body: { title: `article ${sent}` } }),
    upload: async () => {
      const form = new FormData();
      form.set('file', new File([`text ${sent}`], `${sent}.txt`, { type: 'text/plain' }));
      const encoded = new Request('http://recto.test/', { method: 'POST', body: form });
      const headers = { 'Content-Type': encoded.headers.get('content-type') ?? '' };
      await expectStatus(201, 'POST /api/v1/media', { headers, body: await encoded.bytes() });
    },
  };
  const others: typeof requests = {
    none: async () => undefined,
    'new list': () => expectStatus(200, `GET ${list}&sort=body:asc`),
  };
  for (const request of Object.values(requests)) {
    await request();
    sent += 1;
  }
  const path = process.env.RECTO_TEST_PATH ?? '';
  const last = requests[path] ?? others[path];
  if (last === undefined) throw new Error(`There is no path "${path}".`);
  await last();
});
