import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestService } from '../../../test/support/service.ts';
import { type ChangeEvent, createClient, RectoError } from './index.ts';

// The stream of changes, against the service.

const definition = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text' }],
  api: { get: { access: 'public' }, list: { access: 'public' } },
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([definition], { builtIn: true });
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const url = 'http://recto.test/';
const credentials = { email: 'ada@example.com', password: 'correct horse' };

/** A way to the service that is cut on demand, and knows which streams were opened. */
class Line {
  readonly streams: { readonly after: string | null; readonly signal: AbortSignal }[] = [];
  #cut = new AbortController();
  #opened = Promise.withResolvers<void>();

  readonly fetch = async (request: Request): Promise<Response> => {
    if (!request.url.includes('/events')) return service.app.fetch(request);
    const response = await service.app.fetch(request);
    const opened = this.#opened;
    this.#opened = Promise.withResolvers();
    this.streams.push({ after: request.headers.get('last-event-id'), signal: request.signal });
    const cut = this.#cut.signal;
    const source = response.body?.getReader();
    if (source === undefined || !response.ok) return response;
    for (const signal of [cut, request.signal]) signal.addEventListener('abort', () => void source.cancel());
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const gone = new Promise<never>((_, reject) => {
          for (const signal of [cut, request.signal]) signal.addEventListener('abort', () => reject(signal.reason));
        });
        try {
          const { done, value } = await Promise.race([source.read(), gone]);
          opened.resolve();
          if (cut.aborted) throw new TypeError('connection lost');
          if (done || value === undefined) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(error);
        }
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };

  /** Resolves when the next stream has begun. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  cut(): void {
    const before = this.#cut;
    this.#cut = new AbortController();
    before.abort(new TypeError('connection lost'));
  }
}

const titleOf = (event: ChangeEvent | undefined): unknown =>
  event !== undefined && 'record' in event ? event.record.title : event?.action;

/** The next event of a stream. */
async function next(stream: AsyncGenerator<ChangeEvent, void>): Promise<ChangeEvent> {
  const { done, value } = await stream.next();
  if (done) throw new Error('The stream has ended.');
  return value;
}

test('changes arrive as they happen', async () => {
  const line = new Line();
  const recto = createClient({ url, fetch: line.fetch });
  const stream = recto.events({ types: ['notes'] });
  const opened = line.opened;
  const first = next(stream);
  await opened;
  const { id } = await service.seed('notes', { title: 'One' });
  expect(await first).toMatchObject({ type: 'note', id, action: 'create', record: { title: 'One' } });
  await service.send(`PUT /api/v1/admin/cms/notes/${id}`, { as: 'ada', body: { title: 'Two' } });
  expect(await next(stream)).toMatchObject({ action: 'update', record: { title: 'Two' } });
  await service.send(`DELETE /api/v1/admin/cms/notes/${id}`, { as: 'ada' });
  expect(await next(stream)).toMatchObject({ type: 'note', id, action: 'delete' });
  await stream.return();
  expect(line.streams[0]?.signal.aborted).toBe(true);
});

test('a stream that is cut goes on behind what it sent, and misses nothing', async () => {
  const line = new Line();
  const stream = createClient({ url, fetch: line.fetch }).events({ types: ['notes'] });
  const opened = line.opened;
  const first = next(stream);
  await opened;
  await service.seed('notes', { title: 'Before' });
  const before = await first;
  const second = next(stream);
  line.cut();
  await service.seed('notes', { title: 'While it is away' });
  expect(titleOf(await second)).toBe('While it is away');
  await service.seed('notes', { title: 'After' });
  expect(titleOf(await next(stream))).toBe('After');
  expect(line.streams.map(({ after }) => after)).toEqual([null, String(before.seq)]);
  await stream.return();
});

test('a stream whose place in the log is gone begins with a reset', async () => {
  const line = new Line();
  const recto = createClient({ url, fetch: line.fetch });
  const stream = recto.events({ types: ['notes'], after: 9_999_999 });
  expect((await next(stream)).action).toBe('reset');
  await stream.return();
});

test('the signal ends it while it waits', async () => {
  const line = new Line();
  const controller = new AbortController();
  const stream = createClient({ url, fetch: line.fetch }).events({ types: ['notes'], signal: controller.signal });
  const opened = line.opened;
  const waiting = next(stream);
  await opened;
  controller.abort(new Error('no longer wanted'));
  await expect(waiting).rejects.toThrow('no longer wanted');
});

test('what the service refuses is an error, without trying again', async () => {
  const line = new Line();
  const stream = createClient({ url, fetch: line.fetch }).events({ types: ['notes'], filter: 'nothing = 1' });
  const error: unknown = await next(stream).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 400 });
  expect(line.streams.length).toBe(1);
});

test('with the session ends what it could see: it does not go on as an anonymous stream', async () => {
  const line = new Line();
  const recto = createClient({ url, fetch: line.fetch });
  await recto.auth.login(credentials);
  const stream = recto.events({ types: ['notes'] });
  const opened = line.opened;
  const waiting = next(stream);
  await opened;
  await recto.auth.logout();
  const error: unknown = await waiting.catch((reason: unknown) => reason);
  expect(error instanceof RectoError && error.is('authentication_required')).toBe(true);
  expect(line.streams.length).toBe(1);
});
