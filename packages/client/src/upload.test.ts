import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestService } from '../../../test/support/service.ts';
import { createClient, RectoError } from './index.ts';

// Uploads, against the service.

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([], { builtIn: true });
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const credentials = { email: 'ada@example.com', password: 'correct horse' };
const part = 2 ** 22;

/** Bytes of which no part is like another. */
function bytesOf(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + (at >> 8) * 17 + (at >> 16)) % 256;
  return bytes;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly offset: string | null;
}

/** A client that is signed in, and what it sends; `answer` may answer in the place of the service. */
async function client(answer: (request: Request, patches: number) => Promise<Response | undefined>) {
  const sent: Sent[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { method, headers, url } = request;
    sent.push({ method, path: new URL(url).pathname, offset: headers.get('upload-offset') });
    const patches = sent.filter((one) => one.method === 'PATCH').length;
    return (await answer(request, patches)) ?? (await service.app.fetch(request));
  };
  const recto = createClient({ url: 'http://recto.test', fetch });
  await recto.auth.login(credentials);
  sent.splice(0);
  return { recto, sent };
}

const passOn = async (): Promise<undefined> => undefined;

test('a small file is one request, with what is said about it', async () => {
  const { recto, sent } = await client(passOn);
  const progress: number[] = [];
  const made = await recto.media.upload(new File(['Hello'], 'hello & more.txt'), {
    alt: 'A greeting',
    onProgress: (done) => progress.push(done),
  });
  expect(made).toMatchObject({ name: 'hello & more.txt', alt: 'A greeting', size: 5 });
  expect(sent.length).toBe(1);
  expect(progress).toEqual([0, 5]);
});

test('a large file goes on where it was when the connection breaks in the middle of a part', async () => {
  const size = 2 * part + 1234;
  const bytes = bytesOf(size);
  const lost = 1_000_000;
  const { recto, sent } = await client(async (request, patches) => {
    if (request.method !== 'PATCH' || patches !== 2) return undefined;
    // Some bytes arrive, and then the connection is gone.
    const some = (await request.arrayBuffer()).slice(0, lost);
    await service.app.fetch(new Request(request.url, { method: 'PATCH', headers: request.headers, body: some }));
    throw new TypeError('connection lost');
  });
  const progress: number[] = [];
  const made = await recto.media.upload(new Blob([bytes]), {
    name: 'Größe.bin',
    caption: 'Ein langer Text – mit Strich',
    onProgress: (done) => progress.push(done),
  });
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
  expect(made).toMatchObject({ name: 'Größe.bin', caption: 'Ein langer Text – mit Strich', size, hash });
  const offsets = sent.filter(({ method }) => method === 'PATCH').map(({ offset }) => Number(offset));
  expect(offsets).toEqual([0, part, part + lost, 2 * part + lost].filter((offset) => offset < size));
  expect(progress.toSorted((one, other) => one - other)).toEqual(progress);
  expect(progress.at(-1)).toBe(size);
});

test('a part whose response is lost is not sent again', async () => {
  const bytes = bytesOf(2 * part);
  const { recto, sent } = await client(async (request, patches) => {
    if (request.method !== 'PATCH' || patches !== 2) return undefined;
    await service.app.fetch(request);
    throw new TypeError('connection lost');
  });
  expect(await recto.media.upload(new Blob([bytes]), { name: 'whole.bin' })).toMatchObject({ size: bytes.length });
  expect(sent.filter(({ method }) => method === 'PATCH').length).toBe(2);
  expect(sent.filter(({ method }) => method === 'POST').length).toBe(1);
});

test('the signal ends it', async () => {
  const controller = new AbortController();
  const { recto, sent } = await client(async ({ method }) => {
    if (method === 'PATCH') controller.abort(new Error('no longer wanted'));
    return undefined;
  });
  const uploading = recto.media.upload(new Blob([bytesOf(part + 1)]), { signal: controller.signal });
  expect(await uploading.catch((error: unknown) => error)).toEqual(new Error('no longer wanted'));
  expect(sent.filter(({ method }) => method === 'PATCH').length).toBe(1);
});

test('it fails at once where the service refuses', async () => {
  const { recto, sent } = await client(passOn);
  await recto.auth.logout();
  sent.splice(0);
  const error: unknown = await recto.media.upload(new Blob([bytesOf(part + 1)])).catch((reason: unknown) => reason);
  expect(error instanceof RectoError && error.status).toBe(401);
  expect(sent.length).toBe(1);
});

test('another call goes on where one was given up', async () => {
  const bytes = bytesOf(2 * part + 5);
  const resume = {};
  let isGone = true;
  const { recto, sent } = await client(async ({ method }, patches) => {
    if (isGone && method === 'PATCH' && patches > 1) return Response.json({ code: 'forbidden' }, { status: 403 });
    return undefined;
  });
  const file = new Blob([bytes]);
  const failed: unknown = await recto.media.upload(file, { name: 'on.bin', resume }).catch((error: unknown) => error);
  expect(failed instanceof RectoError && failed.status).toBe(403);
  isGone = false;
  sent.splice(0);
  expect(await recto.media.upload(file, { name: 'on.bin', resume })).toMatchObject({ size: bytes.length });
  expect(sent.map(({ method }) => method)).not.toContain('POST');
  expect(sent.filter(({ method }) => method === 'PATCH').map(({ offset }) => Number(offset))).toEqual([part, 2 * part]);

  // An upload that the service does not know any more begins anew.
  const lost = { address: '/media/uploads/01a1fc67-9d1d-70a5-9783-d9bc1b978ba3' };
  expect(await recto.media.upload(file, { name: 'anew.bin', resume: lost })).toMatchObject({ name: 'anew.bin' });
});

test('an upload of another file is not gone on with', async () => {
  let isGone = true;
  const { recto } = await client(async ({ method }, patches) =>
    isGone && method === 'PATCH' && patches > 1 ? Response.json({ code: 'forbidden' }, { status: 403 }) : undefined,
  );
  const resume = {};
  const first = new Blob([bytesOf(2 * part + 5)]);
  await recto.media.upload(first, { name: 'first.bin', resume }).catch(() => undefined);
  isGone = false;
  const other = bytesOf(2 * part + 9).reverse();
  const hash = new Bun.CryptoHasher('sha256').update(other).digest('hex');
  const made = await recto.media.upload(new Blob([other]), { name: 'other.bin', resume });
  expect(made).toMatchObject({ name: 'other.bin', size: other.length, hash });
});

test.each([
  ['another name', { name: 'other.bin' }, { modified: 1 }],
  ['another date', { name: 'first.bin' }, { modified: 2 }],
  ['another text', { name: 'first.bin', alt: 'Another' }, { modified: 1 }],
])('an upload of a file of the same size with %s is not gone on with', async (_, about, { modified }) => {
  let isGone = true;
  const { recto } = await client(async ({ method }, patches) =>
    isGone && method === 'PATCH' && patches > 1 ? Response.json({ code: 'forbidden' }, { status: 403 }) : undefined,
  );
  const resume = {};
  const bytes = bytesOf(2 * part + 5);
  const first = new File([bytes], 'first.bin', { lastModified: 1 });
  // A text that is empty is as one that is not there.
  await recto.media.upload(first, { alt: '', resume }).catch(() => undefined);
  isGone = false;
  const other = bytes.toReversed();
  const made = await recto.media.upload(new File([other], about.name, { lastModified: modified }), {
    ...about,
    resume,
  });
  const hash = new Bun.CryptoHasher('sha256').update(other).digest('hex');
  expect(made).toMatchObject({ name: about.name, size: other.length, hash });
});

test('an upload goes on with the same file, whatever is in its name', async () => {
  let isGone = true;
  const { recto, sent } = await client(async ({ method }, patches) =>
    isGone && method === 'PATCH' && patches > 1 ? Response.json({ code: 'forbidden' }, { status: 403 }) : undefined,
  );
  const resume = {};
  const file = new File([bytesOf(2 * part + 5)], 'Größe, 日本 .bin', { lastModified: 1 });
  const about = { alt: '', caption: 'Ein Text', resume };
  await recto.media.upload(file, about).catch(() => undefined);
  isGone = false;
  sent.splice(0);
  expect(await recto.media.upload(file, about)).toMatchObject({ size: file.size, caption: 'Ein Text' });
  expect(sent.map(({ method }) => method)).not.toContain('POST');
});
