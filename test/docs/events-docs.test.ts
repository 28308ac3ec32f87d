import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readDocument } from '../support/documents.ts';
import { EventSource, type Received } from '../support/event-source.ts';
import { TestService } from '../support/service.ts';

// The examples of docs/events.md: the stream that curl shows, and the browser's code with a ticket.

const { blocks } = readDocument('docs/events.md');
const article = {
  singular: 'article',
  plural: 'articles',
  fields: [{ name: 'title', field_type: 'text' }],
  api: { get: { access: 'public' } },
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([article]);
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const blockOf = (language: string, word: string): string => {
  const found = blocks.find((block) => block.language === language && block.text.includes(word));
  if (found === undefined) throw new Error(`There is no block of ${language} with ${word}.`);
  return found.text;
};
const admin = (line: string, body?: object) => service.send(line, { as: 'ada', ...(body && { body }) });

/** With other ids and numbers, which differ each time. */
const masked = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replaceAll(/^id: \d+$/gm, 'id: SEQ');

test('a stream is as curl shows it', async () => {
  const [, path = ''] = /'http:\/\/localhost:9898([^']+)'/.exec(blockOf('sh', 'curl -N')) ?? [];
  const response = await service.app.fetch(new Request(`http://recto.test${path}`));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { id } = (await admin('POST /api/v1/admin/cms/articles', { title: 'On paper' })).json;
  let text = '';
  const until = async (word: string): Promise<void> => {
    while (!text.includes(word)) text += (await reader?.read())?.value ?? '';
  };
  await until('event: create');
  await admin(`DELETE /api/v1/admin/cms/articles/${id}`);
  await until('event: delete');
  await reader?.cancel();
  expect(masked(text).trimEnd()).toBe(masked(blockOf('text', 'event: create')).trimEnd());
});

/** What browsers have, as far as the example uses it. */
class BrowserEventSource {
  readonly #source: Promise<EventSource>;

  constructor(path: string) {
    this.#source = EventSource.open(service.app, path);
    opened.push(this.#source);
  }

  addEventListener(name: string, listener: (event: { readonly data: string }) => void): void {
    void this.#source.then((source) =>
      source.until((events) => {
        const found = events.find(({ event }) => event === name);
        if (found !== undefined) listener({ data: JSON.stringify(found.data) });
        return found !== undefined;
      }),
    );
  }
}
const opened: Promise<EventSource>[] = [];

test('a page gets a ticket and shows what is updated', async () => {
  const { id } = (await admin('POST /api/v1/admin/cms/articles', { title: 'On paper' })).json;
  const shown = Promise.withResolvers<Received['data']>();
  const page = Object.getPrototypeOf(async () => undefined).constructor;
  const run = new page('fetch', 'EventSource', 'token', 'show', blockOf('js', 'EventSource'));
  const local = (path: string, init: RequestInit) => service.app.fetch(new Request(`http://recto.test${path}`, init));
  await run(local, BrowserEventSource, service.tokenOf('ada'), shown.resolve);
  const source = await opened[0];
  await admin(`PUT /api/v1/admin/cms/articles/${id}`, { title: 'On screens' });
  expect(await shown.promise).toMatchObject({ id, title: 'On screens' });
  await source?.[Symbol.asyncDispose]();
});
