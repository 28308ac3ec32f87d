import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { RectoFolder } from '../test/recto-process.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Measures uploads, variants and files with a service of one process: `bun bench/media.ts`, or one part by its name. Takes a minute. */

const admin = { RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: 'correct horse' };
const mebibyte = 1024 * 1024;

const folder = new RectoFolder();
folder.write('recto.toml', '[media.presets.card]\nwidth = 640\nheight = 360\nformat = "webp"\n');
const recto = folder.spawn(['start'], { ...admin, RECTO_LOG_LEVEL: 'fatal', RECTO_MEDIA_MAX_FILE: '2GiB' });
const url = await recto.url();
const login = await fetch(`${url}/api/v1/auth/login`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ email: admin.RECTO_ADMIN_EMAIL, password: admin.RECTO_ADMIN_PASSWORD }),
});
// True because the service answers so.
const { access_token: token } = (await login.json()) as { readonly access_token: string };
const headers = { Authorization: `Bearer ${token}` };

interface Uploaded {
  readonly id: string;
  readonly url: string;
  readonly variants: Readonly<Record<string, string>>;
}

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

async function upload(body: Body, name: string): Promise<Uploaded> {
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const reply = await fetch(`${url}/api/v1/media?name=${name}`, init);
  if (reply.status !== 201) throw new Error(await reply.text());
  // True because the service answers so.
  return (await reply.json()) as Uploaded;
}

async function residentBytes(): Promise<number> {
  const status = await Bun.file(`/proc/${recto.pid}/status`).text();
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;

/** How many requests a second a number of clients get through in some seconds. */
async function rate(clients: number, seconds: number, one: () => Promise<void>): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let count = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      await one();
      count += 1;
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return (count / (performance.now() - begun)) * 1000;
}

async function largeUpload(): Promise<void> {
  const chunk = crypto.getRandomValues(new Uint8Array(64 * 1024));
  await upload(chunk, 'warm');
  const before = await residentBytes();
  let [sent, most] = [0, before];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent >= 1024 * mebibyte) return controller.close();
      controller.enqueue(chunk);
      sent += chunk.length;
      if (sent % (32 * mebibyte) === 0) most = Math.max(most, await residentBytes());
    },
  });
  const begun = performance.now();
  await upload(body, 'large');
  const seconds = (performance.now() - begun) / 1000;
  most = Math.max(most, await residentBytes());
  print(`1 GiB upload: ${Math.round((most - before) / mebibyte)} MiB more memory, ${seconds.toFixed(1)} s`);
}

async function smallUploads(): Promise<void> {
  let count = 0;
  const perSecond = await rate(16, 5, async () => {
    count += 1;
    await upload(`small file ${count} ${Math.random()}`.padEnd(4096, 'x'), 'small');
  });
  print(`uploads of 4 KiB, 16 clients: ${Math.round(perSecond)} a second`);
}

async function variants(): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const source = sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#456', noise } });
  const jpeg = await source.jpeg({ quality: 85 }).toBuffer();
  const alone: number[] = [];
  const first: number[] = [];
  sharp.concurrency(1);
  let path = '';
  for (let round = 0; round < 8; round += 1) {
    // Other bytes each time, behind the end of the image.
    const bytes = Buffer.concat([jpeg, Buffer.from([round])]);
    const begun = performance.now();
    await sharp(bytes).rotate().resize(640, 360, { fit: 'cover' }).webp({ quality: 78, effort: 3 }).toBuffer();
    alone.push(performance.now() - begun);
    const made = await upload(new Uint8Array(bytes), 'image.jpg');
    path = made.variants.card ?? '';
    const asked = performance.now();
    await (await fetch(url + path)).bytes();
    first.push(performance.now() - asked);
  }
  const [own, theirs] = [percentile(first, 0.5), percentile(alone, 0.5)];
  print(
    `first card of 12 megapixels: ${own.toFixed(0)} ms, sharp alone ${theirs.toFixed(0)} ms: ${(own / theirs).toFixed(2)}`,
  );
  await stored(path);
}

async function stored(path: string): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), 'recto-bench-')), 'card.webp');
  await Bun.write(file, await (await fetch(url + path)).bytes());
  const code = `const s = Bun.serve({ port: 0, fetch: () => new Response(Bun.file(${JSON.stringify(file)})) }); console.log(s.url.href);`;
  const bare = Bun.spawn([process.execPath, '-e', code], { stdout: 'pipe' });
  const { value } = await bare.stdout.getReader().read();
  const address = new TextDecoder().decode(value).trim();
  const get = (from: string) => async (): Promise<void> => void (await (await fetch(from)).bytes());
  const ratios: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const theirs = await rate(16, 2, get(address));
    const own = await rate(16, 2, get(url + path));
    ratios.push(own / theirs);
    if (round === 4) print(`stored variant: ${Math.round(own)} a second, bare ${Math.round(theirs)}`);
  }
  print(`stored variant against a bare server, median of 5: ${percentile(ratios, 0.5).toFixed(2)}`);
  bare.kill();
  rmSync(file, { force: true });
}

async function beside(): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const source = sharp({ create: { width: 2000, height: 1500, channels: 3, background: '#456', noise } });
  const jpeg = await source.jpeg({ quality: 85 }).toBuffer();
  const made: Uploaded[] = [];
  for (let index = 0; index < 200; index += 1) {
    made.push(await upload(new Uint8Array(Buffer.concat([jpeg, Buffer.from([index, 1])])), `${index}.jpg`));
  }
  let waiting = made.map(({ variants }) => variants.card ?? '');
  const times: number[] = [];
  let busy = 0;
  let isDone = false;
  const making = (async () => {
    while (waiting.length > 0) {
      const replies = await Promise.all(
        waiting.map(async (path) => ({ path, status: (await fetch(url + path)).status })),
      );
      waiting = replies.filter(({ status }) => status === 503).map(({ path }) => path);
      busy += waiting.length;
      if (waiting.length > 0) await Bun.sleep(1000);
    }
    isDone = true;
  })();
  const one = made[0]?.id ?? '';
  while (!isDone) {
    const begun = performance.now();
    await (await fetch(`${url}/api/v1/media/${one}`)).bytes();
    times.push(performance.now() - begun);
    await Bun.sleep(5);
  }
  await making;
  print(
    `gets while 200 variants are made (${busy} answers of 503): p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, ${times.length} gets`,
  );
}

try {
  const parts = { uploads: smallUploads, variants, beside, large: largeUpload };
  const [wanted] = Bun.argv.slice(2);
  for (const [name, part] of Object.entries(parts)) if (wanted === undefined || wanted === name) await part();
} finally {
  recto.kill('SIGTERM');
  await recto.ended();
  folder[Symbol.dispose]();
}
