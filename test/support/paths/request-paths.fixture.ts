import { test } from 'bun:test';
import { TestService } from '../service.ts';

/** The requests that `requestPath` counts. */
test('requests', async () => {
  const [path, repeats] = [process.env.RECTO_TEST_PATH ?? '', Number(process.env.RECTO_TEST_REPEATS)];
  const fields = [
    { name: 'title', field_type: 'text', required: true },
    { name: 'body', field_type: 'text' },
    { name: 'slug', field_type: 'uid', target_field: 'title' },
  ];
  const definition = { singular: 'article', plural: 'articles', fields, api: { create: { access: 'public' } } };
  await using service = await TestService.open([definition], { builtIn: true, cacheSeconds: 0 });
  const { id } = await service.seed('articles', { title: 'first' });
  const expectStatus = async (status: number, line: string, body?: unknown) => {
    const reply = await service.send(line, { ...(body === undefined ? {} : { as: 'seeding-admin', body }) });
    if (reply.status !== status) throw new Error(`${line}: ${reply.text}`);
  };
  const list = '/api/v1/cms/articles?title=first&page_size=5';
  const requests: Readonly<Record<string, (number: number) => Promise<void>>> = {
    list: () => expectStatus(200, `GET ${list}`),
    'new list': (number) => expectStatus(200, `GET ${list}&sort=${number === 0 ? 'title' : 'body'}:asc`),
    read: () => expectStatus(200, `GET /api/v1/cms/articles/${id}`),
    create: (number) => expectStatus(201, 'POST /api/v1/cms/articles', { title: `article ${number}` }),
    upload: async (number) => {
      const form = new FormData();
      form.set('file', new File([`a text ${number}`], `${number}.txt`, { type: 'text/plain' }));
      const encoded = new Request('http://recto.test/', { method: 'POST', body: form });
      const headers = { 'Content-Type': encoded.headers.get('content-type') ?? '' };
      const reply = await service.send('POST /api/v1/media', {
        as: 'seeding-admin',
        headers,
        body: await encoded.bytes(),
      });
      if (reply.status !== 201) throw new Error(reply.text);
    },
  };
  const request = requests[path];
  if (request === undefined) throw new Error(`There is no path ${path}.`);
  for (let number = 0; number < repeats; number += 1) await request(number);
});
