import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { S3Server, s3Keys, s3ServerPath } from '../../../packages/recto/src/storage/s3-server.fixture.ts';
import { onPostgres } from '../../support/database/database.ts';
import { RectoFolder } from '../../support/processes/recto-process.ts';

// How much memory a service needs for a file that is larger than the memory it may need.

const mebibyte = 1024 * 1024;
const fileBytes = 256 * mebibyte;
/** Of what is asked for a file of 1 GiB. */
const mostBytes = 100 * mebibyte;

const admin = { RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: 'correct horse' };
const chunk = crypto.getRandomValues(new Uint8Array(64 * 1024));
const hash = (() => {
  const hasher = new Bun.CryptoHasher('sha256');
  for (let sent = 0; sent < fileBytes; sent += chunk.length) hasher.update(chunk);
  return hasher.digest('hex');
})();
const textBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const formHead = '--B\r\nContent-Disposition: form-data; name="file"; filename="large"\r\n\r\n';
const formType = { 'Content-Type': 'multipart/form-data; boundary=B' };

interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the file between these texts. */
  readonly body: (head?: string, tail?: string) => ReadableStream<Uint8Array>;
}

const post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
): Promise<Response> => fetch(url, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });

/** The ways of a file into a service, each in one request. */
const ways: Readonly<Record<string, (sending: Sending) => Promise<Response>>> = {
  bytes: ({ url, headers, body }) => post(`${url}/api/v1/media?name=large`, headers, body()),
  form: ({ url, headers, body }) =>
    post(`${url}/api/v1/media`, { ...headers, ...formType }, body(formHead, '\r\n--B--\r\n')),
  async tus({ url, headers, body }) {
    const tus = { ...headers, 'Tus-Resumable': '1.0.0' };
    const begun = await post(`${url}/api/v1/media/uploads`, { ...tus, 'Upload-Length': String(fileBytes) });
    const address = new URL(begun.headers.get('location') ?? '', url);
    const part = { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
    return fetch(address, { method: 'PATCH', headers: part, body: body() });
  },
};

/** The memory that the service has more at most while it takes the file, and what it answers. */
async function memoryFor(way: string, storage: Readonly<Record<string, string>>) {
  using folder = new RectoFolder();
  const recto = folder.spawn(['start'], { ...admin, ...storage, RECTO_LOG_LEVEL: 'error' });
  const url = await recto.url();
  const account = { email: admin.RECTO_ADMIN_EMAIL, password: admin.RECTO_ADMIN_PASSWORD };
  const login = await post(`${url}/api/v1/auth/login`, { 'Content-Type': 'application/json' }, JSON.stringify(account));
  // True because the service answers so.
  const { access_token: token } = (await login.json()) as { readonly access_token: string };
  const headers = { Authorization: `Bearer ${token}` };
  // What a service needs once it has taken files is not asked for by this one.
  await (await post(`${url}/api/v1/media?name=first`, headers, new Uint8Array(64 * mebibyte))).bytes();
  const resident = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${recto.pid}/status`, 'utf8'))?.[1]) * 1024;
  const before = resident();
  let most = 0;
  const body = (head = '', tail = ''): ReadableStream<Uint8Array> => {
    let sent = 0;
    return new ReadableStream({
      pull(controller) {
        if (sent === 0 && head !== '') controller.enqueue(textBytes(head));
        if (sent % (2 * mebibyte) === 0) most = Math.max(most, resident() - before);
        if (sent < fileBytes) controller.enqueue(chunk);
        else {
          if (tail !== '') controller.enqueue(textBytes(tail));
          controller.close();
        }
        sent += chunk.length;
      },
    });
  };
  const response = await ways[way]?.({ url, headers, body });
  const sizes = await fetch(`${url}/api/v1/media?page_size=1&sort=size:desc`, { headers });
  most = Math.max(most, resident() - before);
  recto.kill('SIGTERM');
  await recto.ended();
  return { status: response?.status, most, files: await sizes.json() };
}

const expected = { bytes: 201, form: 201, tus: 204 } as const;

// Elsewhere the memory of another process is not so easy to read; the database has no part in it.
describe.skipIf(onPostgres || !existsSync('/proc/self/status'))('memory for a file of 256 MiB', () => {
  test.each(Object.entries(expected))('as %s, to disk', async (way, status) => {
    const found = await memoryFor(way, {});
    expect(found).toMatchObject({ status, files: { items: [{ size: fileBytes, hash }] } });
    expect(found.most).toBeLessThan(mostBytes);
  });

  test.skipIf(s3ServerPath === null).each(Object.entries(expected))('as %s, to S3', async (way, status) => {
    await using server = await S3Server.start(s3ServerPath ?? '');
    const found = await memoryFor(way, {
      RECTO_STORAGE_URL: `s3://recto-tests/large?endpoint=${server.url}&region=us-east-1`,
      AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    });
    expect(found).toMatchObject({ status, files: { items: [{ size: fileBytes, hash }] } });
    expect(found.most).toBeLessThan(mostBytes);
  });
});
