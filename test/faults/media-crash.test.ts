import { describe, expect, test } from 'bun:test';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';
import { runCommand } from '../support/processes/run-command.ts';
import { storageSettings } from '../support/storage.ts';

const admin = { RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: 'correct horse' };

interface Started {
  readonly process: RectoProcess;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function start(folder: RectoFolder, storage: Readonly<Record<string, string>>): Promise<Started> {
  const process = folder.spawn(['start'], { ...admin, RECTO_LOG_LEVEL: 'error', RECTO_RATE_LIMIT: 'off', ...storage });
  const url = await process.url();
  const login = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: admin.RECTO_ADMIN_EMAIL, password: admin.RECTO_ADMIN_PASSWORD }),
  });
  // True because the service answers so.
  const { access_token: token } = (await login.json()) as { readonly access_token: string };
  return { process, url, headers: { Authorization: `Bearer ${token}` } };
}

const size = 400_000;
const bytesOf = (index: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(size).fill(index % 256).fill(index >> 8, 0, 9);

/** Uploads until the service is gone; the records that it acknowledged, by the bytes that they have. */
async function upload({ url, headers }: Started, first: number, killedAfter: number, kill: () => void) {
  const acknowledged = new Map<string, number>();
  let sent = 0;
  const one = async (index: number): Promise<void> => {
    const bytes = bytesOf(index);
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + 50_000));
        at += 50_000;
        sent += 1;
        if (sent === killedAfter) kill();
        if (at >= size) controller.close();
      },
    });
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const made = await fetch(`${url}/api/v1/media?name=${index}`, init).catch(() => undefined);
    const record = made?.status === 201 ? await made.json().catch(() => undefined) : undefined;
    // True because the service answers so.
    if (record !== undefined) acknowledged.set((record as { readonly id: string }).id, index);
  };
  await Promise.all(Array.from({ length: 12 }, (_, index) => one(first + index)));
  return acknowledged;
}

describe('a service that is killed while files are uploaded', () => {
  test('has no record without its file, and after a sweep no file without a record', async () => {
    using folder = new RectoFolder();
    const storage = storageSettings();
    const environment = {
      RECTO_DATA_DIR: `${folder.path}/data`,
      RECTO_CONTENT_TYPES_DIR: `${folder.path}/content-types`,
      ...storage,
    };
    const acknowledged = new Map<string, number>();
    // At different points of the 96 pieces that are sent.
    for (const [round, killedAfter] of [3, 25, 50, 75, 96].entries()) {
      const started = await start(folder, storage);
      const made = await upload(started, round * 12, killedAfter, () => started.process.kill('SIGKILL'));
      for (const [id, index] of made) acknowledged.set(id, index);
      started.process.kill('SIGKILL');
      await started.process.ended();
    }
    const swept = await runCommand(['media', 'sweep', '--hours', '0', '--json'], { environment });
    expect(swept.exitCode, swept.err).toBe(0);
    const verified = await runCommand(['media', 'verify', '--json'], { environment });
    expect(JSON.parse(verified.out)).toMatchObject({ ok: true, faults: [] });
    // What was acknowledged is there.
    const { process, url } = await start(folder, storage);
    for (const [id, index] of acknowledged) {
      const read = await fetch(`${url}/media/${id}/x`);
      expect([read.status, Bun.hash(await read.bytes())]).toEqual([200, Bun.hash(bytesOf(index))]);
    }
    process.kill('SIGTERM');
    await process.ended();
  }, 600_000);

  test('goes on with an upload that can be resumed', async () => {
    using folder = new RectoFolder();
    const storage = storageSettings();
    const total = 10_000_000;
    const bytes = new Uint8Array(total).map((_, index) => (index * 31) % 251);
    const tus = { 'Tus-Resumable': '1.0.0' };
    let started = await start(folder, storage);
    const begun = await fetch(`${started.url}/api/v1/media/uploads`, {
      method: 'POST',
      headers: { ...started.headers, ...tus, 'Upload-Length': String(total) },
    });
    const path = begun.headers.get('location') ?? '';
    let offset = 0;
    let media: string | null = null;
    for (const kills of [true, false]) {
      const { process, url, headers } = started;
      const from = offset;
      let at = from;
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          // Once a piece has been stored.
          if (kills && at - from >= 6_000_000) {
            await waitForOffset(url, path, { ...headers, ...tus }, from);
            process.kill('SIGKILL');
            controller.error(new Error('killed'));
          } else if (at >= total) controller.close();
          else {
            controller.enqueue(bytes.subarray(at, at + 500_000));
            at += 500_000;
          }
        },
      });
      const part = {
        ...headers,
        ...tus,
        'Upload-Offset': String(from),
        'Content-Type': 'application/offset+octet-stream',
      };
      const init = { method: 'PATCH', headers: part, body, duplex: 'half' } as RequestInit;
      const reply = await fetch(url + path, init).catch(() => undefined);
      media = reply?.headers.get('recto-media') ?? null;
      if (media !== null) break;
      await process.ended();
      started = await start(folder, storage);
      offset = await offsetOf(started.url, path, { ...started.headers, ...tus });
      expect(offset).toBeGreaterThan(from);
    }
    const read = await fetch(`${started.url}/media/${media}/x`);
    expect(Bun.hash(await read.bytes())).toBe(Bun.hash(bytes));
    started.process.kill('SIGTERM');
    await started.process.ended();
  }, 600_000);
});

async function offsetOf(url: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const state = await fetch(url + path, { method: 'HEAD', headers });
  return Number(state.headers.get('upload-offset'));
}

async function waitForOffset(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  from: number,
): Promise<void> {
  while ((await offsetOf(url, path, headers)) <= from) await Bun.sleep(20);
}
