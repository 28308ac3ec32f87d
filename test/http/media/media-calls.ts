import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Reply, TestService } from '../../support/service.ts';

export interface SentFile {
  readonly as?: string;
  readonly name?: string;
  readonly type?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Uploads a file as a form. */
export async function uploadForm(service: TestService, bytes: Bytes, sent: SentFile = {}): Promise<Reply> {
  const form = new FormData();
  form.set('file', new File([bytes], sent.name ?? 'file.bin', { type: sent.type ?? 'application/octet-stream' }));
  for (const [name, value] of Object.entries(sent.fields ?? {})) form.append(name, value);
  const encoded = new Request('http://recto.test/', { method: 'POST', body: form });
  return service.send('POST /api/v1/media', {
    ...(sent.as === undefined ? {} : { as: sent.as }),
    headers: { 'Content-Type': encoded.headers.get('content-type') ?? '' },
    body: await encoded.bytes(),
  });
}

/** Uploads the bytes alone. */
export const uploadRaw = (service: TestService, bytes: Bytes, sent: SentFile = {}): Promise<Reply> =>
  service.send(`POST /api/v1/media?${new URLSearchParams({ name: sent.name ?? 'file.bin', ...sent.fields })}`, {
    ...(sent.as === undefined ? {} : { as: sent.as }),
    headers: { 'Content-Type': sent.type ?? 'application/octet-stream' },
    body: bytes,
  });

/** An image of one colour per quarter: red, green, blue, white, from left to right and top to bottom. */
export async function quarters(width: number, height: number, format: 'jpeg' | 'png' | 'webp' = 'png'): Promise<Bytes> {
  const part = { width: Math.ceil(width / 2), height: Math.ceil(height / 2), channels: 3 } as const;
  const colours = ['#ff0000', '#00ff00', '#0000ff', '#ffffff'];
  const inputs = await Promise.all(
    colours.map(async (background, index) => ({
      input: await sharp({ create: { ...part, background } })
        .png()
        .toBuffer(),
      left: index % 2 === 0 ? 0 : width - part.width,
      top: index < 2 ? 0 : height - part.height,
    })),
  );
  const image = sharp({ create: { width, height, channels: 3, background: '#000' } }).composite(inputs);
  return new Uint8Array(await image.toFormat(format, { quality: 90 }).toBuffer());
}

/** The answer to a GET, with its bytes. */
export async function getBytes(
  service: TestService,
  path: string,
  sent: { readonly as?: string; readonly headers?: Readonly<Record<string, string>>; readonly method?: string } = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array }> {
  const headers: Record<string, string> = { ...sent.headers };
  if (sent.as !== undefined) headers.Authorization = `Bearer ${service.tokenOf(sent.as)}`;
  const response = await service.app.fetch(
    new Request(`http://recto.test${path}`, { method: sent.method ?? 'GET', headers }),
  );
  return { status: response.status, headers: response.headers, bytes: await response.bytes() };
}

/** A PNG of a few bytes that claims to have so many pixels. */
export function claimingPng(width: number, height: number): Bytes {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of each of three colours.
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [
    ['IHDR', header],
    ['IDAT', deflateSync(Buffer.alloc(1000))],
    ['IEND', Buffer.alloc(0)],
  ] as const;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(Buffer.concat([signature, ...chunks.map(([name, data]) => pngChunk(name, data))]));
}

/** The same PNG as an animated one of a single picture. */
export function animatedPng(png: Bytes): Bytes {
  // Behind the signature and the header; the number of pictures comes first.
  const [place, control] = [33, Buffer.alloc(8)];
  control.writeUInt32BE(1, 0);
  return new Uint8Array(Buffer.concat([png.subarray(0, place), pngChunk('acTL', control), png.subarray(place)]));
}

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Runs background work until so many files are stored. */
export async function untilStored(service: TestService, count: number): Promise<void> {
  for (;;) {
    await service.runJobs();
    if ((await service.storedKeys()).length === count) return;
    await Bun.sleep(20);
  }
}
