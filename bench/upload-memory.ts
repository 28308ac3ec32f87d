import { readFileSync } from 'node:fs';
import { RectoFolder } from '../test/support/processes/recto-process.ts';

/**
 * Measures the private memory (pages that no other process shares) of a service of one process while it takes large files:
 * `bun bench/upload-memory.ts [MiB] [way …]`, by default 1,024 MiB in each way, then 20 files at once of an eighth of that each. Linux
 * only. Needs twice the disk space of the files of one way.
 */
const mebibyte = 1024 * 1024;
const admin = { RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: 'correct horse' };

type Body = (head?: string, tail?: string) => ReadableStream<Uint8Array>;

interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly body: Body;
}

const formHead = '--B\r\nContent-Disposition: form-data; name="file"; filename="large"\r\n\r\n';

const ways = {
  raw: ({ url, headers, body }: Sending) => send(`${url}/api/v1/media?name=large`, 'POST', headers, body()),
  form: ({ url, headers, body }: Sending) => {
    const type = { ...headers, 'Content-Type': 'multipart/form-data; boundary=B' };
    return send(`${url}/api/v1/media`, 'POST', type, body(formHead, '\r\n--B--\r\n'));
  },
  async tus({ url, headers, bytes, body }: Sending) {
    const tus = { ...headers, 'Tus-Resumable': '1.0.0' };
    const begun = await send(`${url}/api/v1/media/uploads`, 'POST', { ...tus, 'Upload-Length': String(bytes) });
    const part = { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
    return send(new URL(begun.headers.get('location') ?? '', url).href, 'PATCH', part, body());
  },
} as const;

async function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: ReadableStream<Uint8Array> | null = null,
): Promise<Response> {
  const reply = await fetch(url, { method, headers, body });
  if (!reply.ok) throw new Error(await reply.text());
  await reply.bytes();
  return reply;
}

const chunk = crypto.getRandomValues(new Uint8Array(64 * 1024));

function bodyOf(bytes: number): Body {
  const text = new TextEncoder();
  return (head = '', tail = '') => {
    let sent = 0;
    return new ReadableStream({
      pull(controller) {
        if (sent === 0 && head !== '') controller.enqueue(text.encode(head));
        if (sent < bytes) controller.enqueue(chunk);
        else {
          if (tail !== '') controller.enqueue(text.encode(tail));
          controller.close();
        }
        sent += chunk.length;
      },
    });
  };
}

function privateBytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const sizes = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].map(([, size]) => Number(size));
  return sizes.reduce((sum, size) => sum + size, 0) * 1024;
}

/** What a service that has just started needs more at most while it takes `count` files at once. */
async function measure(way: keyof typeof ways, bytes: number, count: number): Promise<void> {
  using folder = new RectoFolder();
  const limits = { RECTO_LOG_LEVEL: 'error', RECTO_MEDIA_MAX_FILE: '64GiB' };
  const storage = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^(?:RECTO_STORAGE_URL|AWS_)/.test(name) ? [[name, value] as const] : [],
    ),
  );
  const recto = folder.spawn(['start'], { ...admin, ...limits, ...storage });
  const url = await recto.url();
  const login = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: admin.RECTO_ADMIN_EMAIL, password: admin.RECTO_ADMIN_PASSWORD }),
  });
  // True because the service answers so.
  const { access_token: token } = (await login.json()) as { readonly access_token: string };
  const headers = { Authorization: `Bearer ${token}` };
  // What every way loads when it is first used is part of an idle service.
  await ways[way]({ url, headers, bytes: chunk.length, body: bodyOf(chunk.length) });
  await Bun.sleep(2_000);
  const idle = privateBytes(recto.pid);
  let most = idle;
  const timer = setInterval(() => {
    most = Math.max(most, privateBytes(recto.pid));
  }, 50);
  const begun = performance.now();
  await Promise.all(Array.from({ length: count }, () => ways[way]({ url, headers, bytes, body: bodyOf(bytes) })));
  const seconds = (performance.now() - begun) / 1000;
  clearInterval(timer);
  const [before, more] = [idle, most - idle].map((size) => Math.round(size / mebibyte));
  const size = Math.round(bytes / mebibyte);
  process.stdout.write(`${way}: ${count} × ${size} MiB: ${more} MiB beside ${before} idle, ${seconds.toFixed(1)} s\n`);
  recto.kill('SIGTERM');
  await recto.ended();
}

const isWay = (name: string): name is keyof typeof ways => Object.hasOwn(ways, name);
const given = process.argv.slice(2);
const size = Number(given.find((text) => /^\d+$/.test(text)) ?? 1024) * mebibyte;
const named = given.filter(isWay);
for (const way of named.length > 0 ? named : Object.keys(ways).filter(isWay)) {
  await measure(way, size, 1);
  await measure(way, size / 8, 20);
}
