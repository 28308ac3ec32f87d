import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { RectoFolder } from '../test/support/processes/recto-process.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Measures uploads, variants and files with a service of one process: `bun bench/media.ts`, or one part by its name. Takes a minute. */

const admin = { RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: 'correct horse' };
const mebibyte = 1024 * 1024;

const folder = new RectoFolder();
folder.write('recto.toml', '[media.presets.card]\nwidth = 640\nheight = 360\nformat = "webp"\n');
const start = () => folder.spawn(['start'], { ...admin, RECTO_LOG_LEVEL: 'fatal', RECTO_MEDIA_MAX_FILE: '2GiB' });
const recto = start();
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

/** All of it, and what no file stands behind. */
async function memory(): Promise<readonly [resident: number, anonymous: number]> {
  const status = await Bun.file(`/proc/${recto.pid}/status`).text();
  const bytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
  return [bytes('VmRSS'), bytes('RssAnon')];
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

const formHead = '--B\r\nContent-Disposition: form-data; name="file"; filename="large"\r\n\r\n';

/** The ways of a file into the service, in one request each. */
const ways = {
  'as bytes': (body: LargeBody) => send('POST', '/api/v1/media?name=large', {}, body('', '')),
  'as a form': (body: LargeBody) =>
    send(
      'POST',
      '/api/v1/media',
      { 'Content-Type': 'multipart/form-data; boundary=B' },
      body(formHead, '\r\n--B--\r\n'),
    ),
  async 'by tus'(body: LargeBody) {
    const tus = { 'Tus-Resumable': '1.0.0' };
    const size = { ...tus, 'Upload-Length': String(1024 * mebibyte) };
    const begun = await send('POST', '/api/v1/media/uploads', size);
    const part = { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
    return send('PATCH', begun.headers.get('location') ?? '', part, body('', ''));
  },
} as const;

type LargeBody = (head: string, tail: string) => ReadableStream<Uint8Array>;

async function send(
  method: string,
  path: string,
  more: Readonly<Record<string, string>>,
  body: ReadableStream<Uint8Array> | null = null,
): Promise<Response> {
  const reply = await fetch(`${url}${path}`, { method, headers: { ...headers, ...more }, body });
  if (!reply.ok) throw new Error(await reply.text());
  return reply;
}

async function largeUploads(): Promise<void> {
  for (const [way, upload] of Object.entries(ways)) await largeUpload(way, upload);
}

async function largeUpload(way: string, upload: (body: LargeBody) => Promise<Response>): Promise<void> {
  const chunk = crypto.getRandomValues(new Uint8Array(64 * 1024));
  const text = new TextEncoder();
  const before = await memory();
  let most: readonly [number, number] = [0, 0];
  const look = async (): Promise<void> => {
    const [resident, anonymous] = await memory();
    most = [Math.max(most[0], resident - before[0]), Math.max(most[1], anonymous - before[1])];
  };
  const body: LargeBody = (head, tail) => {
    let sent = 0;
    return new ReadableStream({
      async pull(controller) {
        if (sent === 0 && head !== '') controller.enqueue(text.encode(head));
        if (sent % (8 * mebibyte) === 0) await look();
        if (sent < 1024 * mebibyte) controller.enqueue(chunk);
        else {
          if (tail !== '') controller.enqueue(text.encode(tail));
          controller.close();
        }
        sent += chunk.length;
      },
    });
  };
  const begun = performance.now();
  await (await upload(body)).bytes();
  const seconds = (performance.now() - begun) / 1000;
  await look();
  const [resident, anonymous] = most.map((bytes) => Math.round(bytes / mebibyte));
  print(`1 GiB ${way}: ${resident} MiB more memory (anonymous: ${anonymous} MiB), ${seconds.toFixed(1)} s`);
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
  await afterStart(jpeg);
  await stored(path);
}

/** The first card of a service that has just started, and by a program that has. Both load the library. */
async function afterStart(jpeg: Buffer): Promise<void> {
  const file = join(folder.path, 'original.jpg');
  await Bun.write(file, new Uint8Array(jpeg));
  const library = import.meta.resolve('sharp');
  const code = `const begun = performance.now(); const { default: sharp } = await import(${JSON.stringify(library)}); sharp.concurrency(1);
    await sharp(await Bun.file(${JSON.stringify(file)}).bytes()).rotate().resize(640, 360, { fit: 'cover' }).webp({ quality: 78, effort: 3 }).toBuffer();
    console.log(performance.now() - begun);`;
  const [own, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    const { variants } = await upload(new Uint8Array(Buffer.concat([jpeg, Buffer.from([round, 7])])), 'image.jpg');
    const other = start();
    const address = (await other.url()) + (variants.card ?? '');
    const asked = performance.now();
    await (await fetch(address)).bytes();
    own.push(performance.now() - asked);
    other.kill('SIGTERM');
    await other.ended();
    const alone = Bun.spawn([process.execPath, '-e', code], { stdout: 'pipe' });
    theirs.push(Number(await alone.stdout.text()));
  }
  const [mine, bare] = [percentile(own, 0.5), percentile(theirs, 0.5)];
  print(
    `first card after a start: ${mine.toFixed(0)} ms, sharp in a new program ${bare.toFixed(0)} ms: ${(mine / bare).toFixed(2)}`,
  );
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
  const parts = { uploads: smallUploads, variants, beside, large: largeUploads };
  const [wanted] = Bun.argv.slice(2);
  for (const [name, part] of Object.entries(parts)) if (wanted === undefined || wanted === name) await part();
} finally {
  recto.kill('SIGTERM');
  await recto.ended();
  folder[Symbol.dispose]();
}
