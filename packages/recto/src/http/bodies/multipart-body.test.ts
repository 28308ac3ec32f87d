import { describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { sampleApp } from '../../../../../test/support/sample-app.ts';
import { createLogger } from '../../base/logger.ts';
import { openApiDocument } from '../openapi/openapi-document.ts';
import type { Operation, RequestContext } from '../operation.ts';
import { json } from '../responses/json-response.ts';
import { serve } from '../server.ts';
import type { MultipartBody } from './body-spec.ts';
import type { Part } from './multipart-body.ts';

const form: MultipartBody = {
  kind: 'multipart',
  parts: {
    title: { kind: 'field', required: true, maxBytes: 20, description: 'A name.' },
    tag: { kind: 'field', multiple: true },
    image: { kind: 'file', required: true, mediaTypes: ['image/png', 'image/gif'], maxBytes: 100_000 },
    extra: { kind: 'file', multiple: true },
  },
  maxBytes: 200_000,
  maxParts: 8,
};

const operation = (id: string, more: Partial<Operation>): Operation => ({
  id,
  method: 'POST',
  path: `/${id}`,
  tag: 'samples',
  summary: id,
  security: 'none',
  responses: { 200: { description: 'What was read.' } },
  problems: [],
  handle: () => json(200, {}),
  ...more,
});

async function read(part: Part): Promise<object> {
  if (part.kind === 'field') return part;
  const hash = new Bun.CryptoHasher('sha256');
  let length = 0;
  for await (const chunk of part.bytes) {
    hash.update(chunk);
    length += chunk.length;
  }
  return { name: part.name, filename: part.filename, mediaType: part.mediaType, length, hash: hash.digest('hex') };
}

async function readAll(context: RequestContext): Promise<object[]> {
  const found: object[] = [];
  for await (const part of context.parts()) found.push(await read(part));
  return found;
}

const arrived = Promise.withResolvers<number>();

const operations: readonly Operation[] = [
  operation('upload', { body: form, handle: async (context) => json(200, await readAll(context)) }),
  operation('unchecked', {
    body: { kind: 'multipart', parts: { extra: { kind: 'file' } }, maxBytes: 200_000 },
    handle: async (context) => json(200, await readAll(context)),
  }),
  operation('skip', {
    body: form,
    async handle(context) {
      const names: string[] = [];
      for await (const part of context.parts()) names.push(part.name);
      return json(200, names);
    },
  }),
  operation('peek', {
    body: form,
    async handle(context) {
      const lengths: number[] = [];
      for await (const part of context.parts()) {
        if (part.kind === 'field') continue;
        for await (const chunk of part.bytes) {
          lengths.push(chunk.length);
          break;
        }
      }
      return json(200, lengths.length);
    },
  }),
  operation('first', {
    body: form,
    async handle(context) {
      for await (const { name } of context.parts()) return json(200, name);
      return json(200, null);
    },
  }),
  operation('live', {
    body: { kind: 'multipart', parts: { image: { kind: 'file' } }, maxBytes: 200_000 },
    async handle(context) {
      let length = 0;
      for await (const part of context.parts()) {
        if (part.kind === 'field') continue;
        for await (const chunk of part.bytes) {
          length += chunk.length;
          if (length >= 1_000) arrived.resolve(length);
        }
      }
      return json(200, length);
    },
  }),
  operation('bytes', {
    body: { kind: 'stream', mediaTypes: ['application/octet-stream', 'image/png'], maxBytes: 1_000 },
    async handle(context) {
      let length = 0;
      for await (const chunk of context.bytes()) length += chunk.length;
      return json(200, length);
    },
  }),
];

const app = sampleApp({ operations });

type Body = FormData | ReadableStream | Uint8Array<ArrayBuffer> | string;

async function send(id: string, body: Body, headers: Readonly<Record<string, string>> = {}) {
  const init = { method: 'POST', body, headers };
  const answer = await app.fetch(new Request(`http://recto.test/${id}`, init));
  return { status: answer.status, body: await answer.json() };
}

const hash = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
const random = (length: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(length));

function formOf(parts: Readonly<Record<string, string | Blob>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(parts)) data.append(name, value);
  return data;
}

const png = (bytes: Uint8Array<ArrayBuffer>): File => new File([bytes], 'a.png', { type: 'image/png' });

describe('a form', () => {
  test('texts and files, in their order', async () => {
    const [image, extra] = [random(60_000), random(50_000)];
    const data = formOf({ title: 'Grüße', image: png(image) });
    data.append('tag', 'one');
    data.append('extra', new Blob([extra]), '../up/e x.bin');
    data.append('tag', 'two');
    expect(await send('upload', data)).toEqual({
      status: 200,
      body: [
        { kind: 'field', name: 'title', value: 'Grüße' },
        { name: 'image', filename: 'a.png', mediaType: 'image/png', length: 60_000, hash: hash(image) },
        { kind: 'field', name: 'tag', value: 'one' },
        {
          ...{ name: 'extra', filename: 'e x.bin', mediaType: 'application/octet-stream' },
          ...{ length: 50_000, hash: hash(extra) },
        },
        { kind: 'field', name: 'tag', value: 'two' },
      ],
    });
  });

  test('files that are not read are skipped', async () => {
    const data = formOf({ title: 'a', image: png(random(90_000)), tag: 'last' });
    expect((await send('skip', data)).body).toEqual(['title', 'image', 'tag']);
  });

  test('the rest of a file that is read in part is skipped', async () => {
    const data = formOf({ title: 'a', image: png(random(90_000)), extra: new Blob([random(90_000)]) });
    expect(await send('peek', data)).toEqual({ status: 200, body: 2 });
  });

  test('the rest of a form may be left', async () => {
    expect(await send('first', formOf({ title: 'a', image: png(random(90_000)) }))).toEqual({
      ...{ status: 200, body: 'title' },
    });
  });

  test('a file is there as it arrives, long before the form is complete', async () => {
    const server = serve(() => app, { host: '127.0.0.1', port: 0, log: createLogger('silent') });
    try {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      const answered = Promise.withResolvers<string>();
      let received = '';
      socket.on('data', (data) => {
        received += data;
        if (received.includes('\r\n\r\n')) answered.resolve(received);
      });
      const head = '--B\r\nContent-Disposition: form-data; name="image"; filename="a.bin"\r\n\r\n';
      const end = '\r\n--B--\r\n';
      const length = head.length + 100_000 + end.length;
      socket.write(
        `POST /live HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: ${length}\r\n\r\n${head}`,
      );
      socket.write(new Uint8Array(5_000));
      // Nothing more is sent before the handler has had a part of it.
      expect(await arrived.promise).toBeLessThanOrEqual(5_000);
      socket.write(new Uint8Array(95_000));
      socket.write(end);
      expect(await answered.promise).toEndWith('100000');
      socket.destroy();
    } finally {
      await server.stop(0);
    }
  });
});

describe('rejected', () => {
  const fine = () => ({ title: 'a', image: png(random(10)) });
  const faults = (...errors: readonly object[]) => ({ status: 422, body: { code: 'validation_failed', errors } });
  const tooLarge = { status: 413, body: { code: 'body_too_large' } };

  test.each([
    ['an unknown part', { ...fine(), other: 'x' }, faults({ field: 'other', code: 'unknown_field' })],
    ['a name of an object', { ...fine(), toString: 'x' }, faults({ field: 'toString', code: 'unknown_field' })],
    ['a missing file', { title: 'a' }, faults({ field: 'image', code: 'required' })],
    ['all that is missing', {}, faults({ field: 'title', code: 'required' }, { field: 'image', code: 'required' })],
    ['a text for a file', { title: 'a', image: 'x' }, faults({ field: 'image', code: 'wrong_type' })],
    ['a file for a text', { title: png(random(3)) }, faults({ field: 'title', code: 'wrong_type' })],
    [
      'a file of another media type',
      { title: 'a', image: new File(['x'], 'a.svg', { type: 'image/svg+xml' }) },
      faults({ field: 'image', code: 'not_allowed' }),
    ],
    ['a text that is too long', { ...fine(), title: 'x'.repeat(21) }, tooLarge],
    ['a file that is too large', { title: 'a', image: png(random(100_001)) }, tooLarge],
    ['a body that is too large', { ...fine(), extra: new Blob([random(250_000)]) }, tooLarge],
  ] as const)('%s', async (_, parts, expected) => {
    expect(await send('upload', formOf(parts))).toMatchObject(expected);
  });

  test('a part that may be there once', async () => {
    const data = formOf(fine());
    data.append('title', 'b');
    expect(await send('upload', data)).toMatchObject(faults({ field: 'title', code: 'too_many_items' }));
  });

  test('too many parts', async () => {
    const data = formOf(fine());
    for (let index = 0; index < 10; index += 1) data.append('tag', 'x');
    expect(await send('upload', data)).toMatchObject(tooLarge);
  });

  const noHeaders: Readonly<Record<string, string>> = {};
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=B' };
  const malformed = { status: 400, body: { code: 'malformed_multipart' } };

  test.each([
    ['', malformed],
    ['nothing of a form', malformed],
    ['--B\r\nContent-Disposition: form-data; name="title"\r\n\r\nno end', malformed],
    ['--B\r\nContent-Disposition: form-data; name="extra"; filename="e"\r\n\r\nno end', malformed],
    [`--B\r\nContent-Disposition: form-data; name="extra"; filename="e"\r\n\r\n${'x'.repeat(150_000)}`, malformed],
    ['--B--\r\n', faults({ field: 'title' }, { field: 'image' })],
    // A part without a name counts as none; headers without end are not kept.
    ['--B\r\n\r\nno headers\r\n--B--', faults({ field: 'title' }, { field: 'image' })],
    [`--B\r\n${'X: y\r\n'.repeat(20_000)}\r\n\r\nbody\r\n--B--`, faults({ field: 'title' }, { field: 'image' })],
  ])('%j', async (body, expected) => {
    for (const id of ['upload', 'skip']) expect(await send(id, body, multipart)).toMatchObject(expected);
  });

  test.each([
    ['multipart/form-data', noHeaders],
    ['multipart/mixed; boundary=B', noHeaders],
    ['application/json', noHeaders],
    ['multipart/form-data; boundary=B', { 'Content-Encoding': 'gzip' }],
  ])('the media type %s', async (type, more) => {
    expect(await send('upload', '--B--', { 'Content-Type': type, ...more })).toMatchObject({ status: 415 });
  });

  test.each([
    ['of 257 characters', `boundary=${'B'.repeat(257)}`],
    ['of 8,000 characters', `boundary=${'B'.repeat(8_000)}`],
    ['that is empty', 'boundary='],
    ['that is empty, in quotes', 'boundary=""'],
    ['with a broken escape', "boundary*=utf-8''%ZZ; x=boundary="],
    ['that does not occur', 'boundary=C'],
  ])('a boundary %s', async (_, parameter) => {
    const body = '--B\r\nContent-Disposition: form-data; name="title"\r\n\r\na\r\n--B--\r\n';
    const sent = await send('upload', body, { 'Content-Type': `multipart/form-data; ${parameter}` });
    expect(sent).toMatchObject(malformed);
  });

  test('a body of unknown length is rejected once it is too large', async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new TextEncoder().encode('x'.repeat(10_000)));
      },
    });
    expect(await send('skip', body, multipart)).toMatchObject(tooLarge);
    expect(sent).toBeLessThan(100);
  });
});

test('what has been read of a form is not kept until its end', async () => {
  const sent: WeakRef<Uint8Array>[] = [];
  let kept = 0;
  const body = new ReadableStream({
    async pull(controller) {
      if (sent.length === 0) {
        controller.enqueue(
          new TextEncoder().encode('--B\r\nContent-Disposition: form-data; name="extra"; filename="e"\r\n\r\n'),
        );
      }
      if (sent.length === 150) {
        // In turns of their own, as a reference that was followed keeps its target for the rest of the turn.
        for (let turn = 0; turn < 5; turn += 1) await Bun.sleep(0);
        Bun.gc(true);
        kept = sent.filter((chunk) => chunk.deref() !== undefined).length;
        controller.enqueue(new TextEncoder().encode('\r\n--B--\r\n'));
        controller.close();
        return;
      }
      const chunk = random(1_000);
      sent.push(new WeakRef(chunk));
      controller.enqueue(chunk);
    },
  });
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=B' };
  expect(await send('unchecked', body, multipart)).toMatchObject({ status: 200, body: [{ length: 150_000 }] });
  // Those that wait to be read, and what the collector sees on the stack.
  expect(kept).toBeLessThan(50);
});

test('the same however the body is cut into chunks', async () => {
  const image = random(3_000);
  // Ends in a letter, or one image in 256 would go on to the boundary itself.
  image.set(new TextEncoder().encode('\r\n--B\r\n--B'), 100);
  const encoder = new TextEncoder();
  const bytes = Buffer.concat([
    encoder.encode('before\r\n--C\r\nContent-Disposition: form-data; name="title"\r\n\r\nä\r\n'),
    encoder.encode(
      '--C\r\nContent-Disposition: form-data; name="image"; filename="a"\r\nContent-Type: image/gif\r\n\r\n',
    ),
    image,
    encoder.encode('\r\n--C--\r\nafter'),
  ]);
  const expected = [
    { kind: 'field', name: 'title', value: 'ä' },
    { name: 'image', filename: 'a', mediaType: 'image/gif', length: 3_000, hash: hash(image) },
  ];
  const cuts = fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const ends = [...new Set(places)].toSorted((a, b) => a - b);
      const chunks = [0, ...ends].map((from, index) => bytes.subarray(from, ends[index] ?? bytes.length));
      const body = new ReadableStream({
        pull(controller) {
          const chunk = chunks.shift();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
        },
      });
      const answer = await send('upload', body, { 'Content-Type': 'multipart/form-data; boundary=C' });
      expect(answer).toEqual({ status: 200, body: expected });
    }),
    { numRuns: randomCases(60) },
  );
});

describe('a stream of bytes', () => {
  test.each([
    ['application/octet-stream', 1_000, { status: 200, body: 1_000 }],
    ['IMAGE/PNG; x=y', 3, { status: 200, body: 3 }],
    ['image/png', 1_001, { status: 413, body: { code: 'body_too_large' } }],
    ['text/plain', 3, { status: 415, body: { code: 'unsupported_media_type' } }],
  ])('%s, %d bytes', async (type, length, expected) => {
    expect(await send('bytes', random(length), { 'Content-Type': type })).toMatchObject(expected);
  });
});

test('an operation with a key cannot take a stream', async () => {
  const both = sampleApp({ operations: [operation('both', { body: form, once: true })] });
  const answer = await both.fetch(new Request('http://recto.test/both', { method: 'POST' }));
  expect(answer.status).toBe(500);
});

test('the document', () => {
  const document = openApiDocument(operations, { title: 'Samples', version: '1' });
  expect(document).toMatchObject({
    paths: {
      '/upload': {
        post: {
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  properties: {
                    title: { type: 'string', description: 'A name.' },
                    tag: { type: 'array', items: { type: 'string' } },
                    image: { contentMediaType: 'image/png' },
                    extra: { type: 'array', items: { contentMediaType: 'application/octet-stream' } },
                  },
                  required: ['title', 'image'],
                },
                encoding: { image: { contentType: 'image/png, image/gif' } },
              },
            },
          },
          responses: { 413: {}, 415: {}, 422: {} },
        },
      },
      '/bytes': { post: { requestBody: { content: { 'application/octet-stream': {}, 'image/png': {} } } } },
    },
  });
});
