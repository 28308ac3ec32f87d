// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { environmentOf, newTestLocation, type TestLocation } from '../../support/database/database.ts';
import { RectoFolder, type RectoProcess } from '../../support/processes/recto-process.ts';
import { type Pace, type SocketReply, UploadClient } from '../../support/processes/upload-client.ts';

// Uploads over sockets to two workers. In process, a request is one object whose body nobody else uses. Here the body arrives in
// segments, in buffers of the runtime, beside other requests.

const clients = 12;
/** Files that each client sends in each way. */
const files = Number(process.env.RECTO_TEST_UPLOADS ?? 3);
const largest = 8 * 1024 * 1024;
const longest = 3_600_000;

const admin = { email: 'ada@example.com', password: 'correct horse' };
const settings = {
  RECTO_WORKERS: '2',
  RECTO_LOG_LEVEL: 'warn',
  RECTO_ADMIN_EMAIL: admin.email,
  RECTO_ADMIN_PASSWORD: admin.password,
  RECTO_STORAGE_URL: 'file:stored',
};

const noteType = `
singular = "note"
plural = "notes"

[[fields]]
name = "text"
field_type = "text"
`;

/** A number up to `most`, the same in each run. */
const drawn = (seed: string, most: number): number => Number(Bun.hash(seed) % BigInt(most + 1));

const pick = <T>(seed: string, choices: readonly T[]): T => {
  const found = choices[drawn(seed, choices.length - 1)];
  if (found === undefined) throw new Error('There is nothing to choose from.');
  return found;
};

/** Sizes at the bounds of buffers, and any. The first 64 KiB of a file are kept until its type is known. */
const sizes = [0, 1, 4_095, 65_535, 65_536, 65_537, 131_073, 1_048_576, largest];

function sizeOf(seed: string): number {
  const kind = drawn(`${seed} kind`, 9);
  if (kind < 4) return pick(`${seed} bound`, sizes);
  return kind < 8 ? drawn(`${seed} small`, 300_000) : drawn(`${seed} any`, largest);
}

/** Single bytes only of small files: each is a packet. */
function paceOf(seed: string, size: number): Pace {
  const chunkBytes = pick(`${seed} chunk`, [
    size < 2_000 ? 1 : 1_460,
    1_460,
    16_384,
    65_536,
    65_536,
    200_000,
    largest * 2,
  ]);
  const isSlow = chunkBytes >= 1_000 && size / chunkBytes < 150 && drawn(`${seed} slow`, 2) === 0;
  return { chunkBytes, isSlow, isChunked: drawn(`${seed} coding`, 2) === 0 };
}

/** Noise that no two files share, of which every byte depends on its place. */
function bytesOf(seed: string, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  const words = new Uint32Array(bytes.buffer, 0, Math.floor(size / 4));
  let state = drawn(seed, 0xfffffffe) + 1;
  for (let index = 0; index < words.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  for (let index = words.length * 4; index < size; index += 1) bytes[index] = drawn(`${seed} ${index}`, 255);
  return bytes;
}

interface Sending {
  readonly client: UploadClient;
  readonly headers: Readonly<Record<string, string>>;
  readonly seed: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly pace: Pace;
}

/** A refused request fails the test with what it was answered. */
function accepted(reply: SocketReply, status: number, sending: Sending): SocketReply {
  if (reply.status === status) return reply;
  const { bytes, pace, seed } = sending;
  throw new Error(`${seed}, ${bytes.length} bytes, ${JSON.stringify(pace)}: ${reply.status} ${reply.body}`);
}

const field = (name: string, value: string): string =>
  `--recto-form\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

interface MediaRecord {
  readonly id: string;
  readonly url: string;
  readonly size: number;
  readonly hash: string;
  readonly alt: string;
  readonly caption: string;
}

// True because the service answers so.
const jsonOf = <T>({ body }: SocketReply): T => JSON.parse(body.toString()) as T;

/** Each sends a file and returns its record. */
const ways: Readonly<Record<string, (sending: Sending) => Promise<MediaRecord>>> = {
  async form(sending) {
    const { client, headers, seed, bytes, pace } = sending;
    const before = `--recto-form\r\nContent-Disposition: form-data; name="file"; filename="${seed}"\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(`${field('alt', seed)}${before}`),
      bytes,
      Buffer.from(`\r\n${field('caption', seed)}--recto-form--\r\n`),
    ]);
    const type = { 'Content-Type': 'multipart/form-data; boundary=recto-form' };
    return jsonOf(accepted(await client.send('POST /api/v1/media', { ...headers, ...type }, body, pace), 201, sending));
  },
  async raw(sending) {
    const { client, headers, seed, bytes, pace } = sending;
    const line = `POST /api/v1/media?${new URLSearchParams({ name: seed, alt: seed, caption: seed })}`;
    return jsonOf(accepted(await client.send(line, headers, bytes, pace), 201, sending));
  },
  async tus(sending) {
    const { client, headers, seed, bytes, pace } = sending;
    const text = Buffer.from(seed).toString('base64');
    const version = { ...headers, 'Tus-Resumable': '1.0.0' };
    const begin = {
      ...version,
      'Upload-Length': String(bytes.length),
      'Upload-Metadata': `filename ${text},alt ${text},caption ${text}`,
      'Content-Length': '0',
    };
    let reply = accepted(await client.send('POST /api/v1/media/uploads', begin), 201, sending);
    const path = reply.headers.get('location') ?? '';
    const parts = 1 + drawn(`${seed} parts`, 2);
    const partBytes = Math.ceil(bytes.length / parts);
    for (let start = 0; start < bytes.length; start += partBytes) {
      const part = {
        ...version,
        'Upload-Offset': String(start),
        'Content-Type': 'application/offset+octet-stream',
      };
      reply = await client.send(`PATCH ${path}`, part, bytes.subarray(start, start + partBytes), pace);
      accepted(reply, 204, sending);
    }
    const id = reply.headers.get('recto-media');
    return jsonOf(accepted(await client.send(`GET /api/v1/media/${id}`, headers), 200, sending));
  },
};

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');

/** Sends one file, and compares its record and what is served of it with what was sent. */
async function sendFile(client: UploadClient, headers: Sending['headers'], way: string, seed: string): Promise<void> {
  const bytes = bytesOf(seed, sizeOf(seed));
  const record = await ways[way]?.({ client, headers, seed, bytes, pace: paceOf(seed, bytes.length) });
  const { size, hash, alt, caption, url = '' } = record ?? {};
  expect({ seed, size, hash, alt, caption }).toEqual({
    seed,
    size: bytes.length,
    hash: sha256(bytes),
    alt: seed,
    caption: seed,
  });
  const served = await client.send(`GET ${url}`, headers);
  expect({ seed, status: served.status, hash: sha256(served.body) }).toEqual({ seed, status: 200, hash: hash ?? '' });
}

/** An API token of an admin: an access token ends after 15 minutes, which a busy machine needs for this. */
async function tokenOf(url: string): Promise<Readonly<Record<string, string>>> {
  using client = new UploadClient(url);
  const asked = async <T>(line: string, headers: Sending['headers'], body: object): Promise<T> => {
    const sent = { 'Content-Type': 'application/json', ...headers };
    return jsonOf<T>(await client.send(line, sent, Buffer.from(JSON.stringify(body))));
  };
  const { access_token } = await asked<{ access_token: string }>('POST /api/v1/auth/login', {}, admin);
  const signedIn = { Authorization: `Bearer ${access_token}` };
  const wanted = { name: 'uploads', role: 'admin' };
  const { token } = await asked<{ token: string }>('POST /api/v1/admin/api-tokens', signedIn, wanted);
  return { Authorization: `Bearer ${token}` };
}

interface Running {
  readonly place: TestLocation;
  readonly folder: RectoFolder;
  readonly recto: RectoProcess;
  readonly url: string;
  readonly headers: Sending['headers'];
}

let running: Running;

beforeAll(async () => {
  const place = await newTestLocation();
  const folder = new RectoFolder({ 'note.toml': noteType });
  const recto = folder.spawn(['start'], { ...settings, ...environmentOf(place) });
  const url = await recto.url();
  running = { place, folder, recto, url, headers: await tokenOf(url) };
}, longest);

afterAll(async () => {
  running.folder[Symbol.dispose]();
  await running.place[Symbol.asyncDispose]();
});

/** Sends files in turn from each of the clients, all at once. */
async function fromAll(name: string, send: (client: UploadClient, seed: string) => Promise<void>): Promise<void> {
  const one = async (_: unknown, number: number): Promise<void> => {
    using client = new UploadClient(running.url);
    for (let file = 0; file < files; file += 1) await send(client, `${name}-${number}-${file}`);
  };
  await Promise.all(Array.from({ length: clients }, one));
}

test.each(Object.keys(ways))(
  'files that 12 clients send at once, by %s, are stored as sent',
  (way) => fromAll(way, (client, seed) => sendFile(client, running.headers, way, seed)),
  longest,
);

interface Import {
  readonly id: string;
  readonly size: number;
}

test(
  'files to import that 12 clients send at once are stored as sent',
  () =>
    fromAll('import', async (client, seed) => {
      const { headers, folder } = running;
      const lines = Array.from({ length: 1 + drawn(seed, 2_000) }, (_, index) => `{"text":"${seed} ${index}"}\n`);
      const bytes = new Uint8Array(Buffer.from(lines.join('')));
      const sending = { client, headers, seed, bytes, pace: paceOf(seed, bytes.length) };
      const line = 'POST /api/v1/admin/imports?format=records&name=notes.ndjson';
      const reply = accepted(await client.send(line, headers, bytes, sending.pace), 201, sending);
      const { id, size } = jsonOf<Import>(reply);
      const stored = await Bun.file(join(folder.path, 'stored/transfers', id)).bytes();
      expect({ seed, size, hash: sha256(stored) }).toEqual({ seed, size: bytes.length, hash: sha256(bytes) });
    }),
  longest,
);

test(
  'and every file is whole afterwards',
  async () => {
    const { folder, place, recto } = running;
    const verified = await folder.run(['media', 'verify'], { ...settings, ...environmentOf(place) });
    expect(verified).toMatchObject({ exitCode: 0 });
    recto.kill('SIGTERM');
    // Nothing is logged at the level `warn` or above.
    expect(await recto.ended()).toMatchObject({ exitCode: 0, err: '' });
  },
  longest,
);
