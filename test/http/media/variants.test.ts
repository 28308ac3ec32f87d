import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import sharp from 'sharp';
import { TestService } from '../../support/service.ts';
import { animatedPng, claimingPng, getBytes, quarters, untilStored, uploadRaw } from './media-calls.ts';

const presets = {
  thumb: { width: 256, height: 256, fit: 'inside', format: 'auto' },
  preview: { width: 1280, height: 1280, fit: 'inside', format: 'auto' },
  card: { width: 60, height: 30, fit: 'cover', format: 'png' },
  tall: { width: 20, height: 60, fit: 'cover', format: 'png' },
  boxed: { width: 50, height: 50, fit: 'contain', format: 'png' },
  framed: { width: 50, height: 50, fit: 'contain', format: 'jpeg' },
  reduced: { width: 200, fit: 'inside', format: 'png', quality: 50 },
  wide: { width: 40, fit: 'inside', format: 'jpeg', quality: 50 },
} as const;

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([], { builtIn: true, mediaPresets: presets });
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const upload = async (bytes: Uint8Array<ArrayBuffer>, fields: Readonly<Record<string, string>> = {}) =>
  (await uploadRaw(service, bytes, { as: 'ada', name: 'image.png', fields })).json;

/** The colour at a point of an image, from 0 to 1. */
async function colourAt(bytes: Uint8Array, x: number, y: number): Promise<readonly number[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const [left, top] = [Math.floor(x * (info.width - 1)), Math.floor(y * (info.height - 1))];
  const at = (top * info.width + left) * info.channels;
  return [...data.subarray(at, at + 3)].map((part) => Math.round(part / 255));
}

const red = [1, 0, 0];
const blue = [0, 0, 1];
const green = [0, 1, 0];
const white = [1, 1, 1];

describe('a variant', () => {
  test('has the size that its preset asks for, and is never enlarged', async () => {
    const { variants } = await upload(await quarters(400, 200));
    const sizes: Record<string, readonly [number, number]> = {};
    for (const [name, url] of Object.entries<string>(variants)) {
      const { width, height } = await sharp((await getBytes(service, url)).bytes).metadata();
      sizes[name] = [width, height];
    }
    expect(sizes).toEqual({
      thumb: [256, 128],
      preview: [400, 200],
      card: [60, 30],
      tall: [20, 60],
      boxed: [50, 50],
      framed: [50, 50],
      reduced: [200, 100],
      wide: [40, 20],
    });
    const small = await upload(await quarters(30, 20));
    const { width, height } = await sharp((await getBytes(service, small.variants.card)).bytes).metadata();
    expect([width, height]).toEqual([30, 15]);
  });

  test('of an animated PNG is its first picture', async () => {
    const made = await upload(animatedPng(await quarters(400, 200)));
    expect(made).toMatchObject({ mime_type: 'image/apng', width: 400, height: 200, placeholder: expect.any(String) });
    const { status, headers, bytes } = await getBytes(service, made.variants.thumb);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect([await colourAt(bytes, 0, 0), await colourAt(bytes, 1, 1)]).toEqual([red, white]);
  });

  test('has white bars where its format has no transparency', async () => {
    const { variants } = await upload(await quarters(400, 200));
    const framed = (await getBytes(service, variants.framed)).bytes;
    expect([await colourAt(framed, 0, 0), await colourAt(framed, 1, 1)]).toEqual([white, white]);
    expect([await colourAt(framed, 0.1, 0.3), await colourAt(framed, 0.1, 0.7)]).toEqual([red, blue]);
    const { channels, data } = await sharp((await getBytes(service, variants.boxed)).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true })
      .then(({ data, info }) => ({ data, channels: info.channels }));
    expect([channels, data[3]]).toEqual([4, 0]);
  });

  test('as PNG has all colours, unless its preset asks for less quality', async () => {
    const pixels = new Uint8Array(200 * 100 * 3).map((_, at) => (at % 3 === 0 ? at / 3 : at / 600) % 256);
    const raw = { width: 200, height: 100, channels: 3 } as const;
    const { variants } = await upload(new Uint8Array(await sharp(pixels, { raw }).png().toBuffer()));
    const colours = async (url: string): Promise<number> => {
      const { data, info } = await sharp((await getBytes(service, url)).bytes)
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const found = new Set<number>();
      for (let at = 0; at < data.length; at += info.channels) found.add(data.readUIntBE(at, 3));
      return found.size;
    };
    expect(await colours(variants.preview)).toBeGreaterThan(1_000);
    expect(await colours(variants.reduced)).toBeLessThanOrEqual(256);
  });

  test('is cut around the focal point', async () => {
    const bytes = await quarters(200, 200);
    const { id, variants } = await upload(bytes, {});
    const corners: readonly (readonly [number, number, readonly number[]])[] = [
      [0, 0, red],
      [1, 0, green],
      [0, 1, blue],
      [1, 1, white],
    ];
    const addresses = new Set<string>([variants.tall]);
    for (const [x, y, colour] of corners) {
      const path = `PUT /api/v1/media/${id}`;
      const changed = (await service.send(path, { as: 'ada', body: { focal_x: x, focal_y: y } })).json;
      addresses.add(changed.variants.tall);
      const [tall, card] = [
        (await getBytes(service, changed.variants.tall)).bytes,
        (await getBytes(service, changed.variants.card)).bytes,
      ];
      // The whole height is shown, and of the width a third; of the card the other way round.
      expect(await colourAt(tall, 0.5, y)).toEqual(colour);
      expect(await colourAt(tall, 0.5, 1 - y)).toEqual(corners.find(([a, b]) => a === x && b === 1 - y)?.[2] ?? []);
      expect(await colourAt(card, x, 0.5)).toEqual(colour);
    }
    expect(addresses.size).toBe(5);
  });

  test('has nothing of the metadata, but its orientation', async () => {
    const exif = { IFD0: { Copyright: 'secret name' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } };
    const plain = sharp(await quarters(60, 30));
    const turned = new Uint8Array(await plain.withExif(exif).withMetadata({ orientation: 6, exif }).jpeg().toBuffer());
    expect(Buffer.from(turned).includes('secret name')).toBe(true);
    const { width, height, variants } = await upload(turned);
    expect([width, height]).toEqual([30, 60]);
    const { bytes } = await getBytes(service, variants.preview, { headers: { Accept: 'image/webp' } });
    const made = await sharp(bytes).metadata();
    expect([made.width, made.height, made.orientation, made.exif]).toEqual([30, 60, undefined, undefined]);
    expect(Buffer.from(bytes).includes('secret name')).toBe(false);
    // Turned by a quarter to the right: what was below on the left is above on the left.
    expect(await colourAt(bytes, 0.1, 0.1)).toEqual(blue);
  });

  test.each([
    ['image/avif,image/webp,*/*', 'image/avif'],
    ['image/webp,*/*;q=0.8', 'image/webp'],
    ['image/avif;q=0, image/webp', 'image/webp'],
    ['*/*', 'image/jpeg'],
    ['image/*', 'image/jpeg'],
    ['text/html', 'image/jpeg'],
    [undefined, 'image/jpeg'],
  ])('for Accept: %s is %s', async (accept, type) => {
    const { variants } = await upload(await quarters(40, 40, 'jpeg'));
    const headers: Record<string, string> = accept === undefined ? {} : { Accept: accept };
    const reply = await getBytes(service, variants.thumb, { headers });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
    expect(reply.headers.get('vary')).toContain('Accept');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const { format } = await sharp(reply.bytes).metadata();
    expect(format).toBe(type === 'image/avif' ? 'heif' : type === 'image/webp' ? 'webp' : 'jpeg');
    const name = /filename="image\.(\w+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1];
    expect(name).toBe(type === 'image/jpeg' ? 'jpg' : type.slice(6));
  });

  test('with a fixed format depends on no header', async () => {
    const { variants } = await upload(await quarters(40, 40));
    const reply = await getBytes(service, variants.wide, { headers: { Accept: 'image/avif' } });
    expect(reply.headers.get('content-type')).toBe('image/jpeg');
    expect(reply.headers.get('vary') ?? '').not.toContain('Accept,');
  });

  test('is made once, however many ask, and stored', async () => {
    const { variants } = await upload(await quarters(500, 400));
    const before = await service.storedKeys('variants/');
    const replies = await Promise.all(Array.from({ length: 30 }, () => getBytes(service, variants.thumb)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    expect((await service.storedKeys('variants/')).length).toBe(before.length + 1);
    const other = await service.anotherApp();
    const again = await other.fetch(new Request(`http://recto.test${variants.thumb}`));
    expect(await again.bytes()).toEqual(replies[0]?.bytes ?? new Uint8Array());
  });

  test('goes with its file', async () => {
    const before = await service.storedKeys();
    const { id, variants } = await upload(await quarters(90, 70));
    for (const url of Object.values<string>(variants)) expect((await getBytes(service, url)).status).toBe(200);
    expect((await service.storedKeys()).length).toBe(before.length + 1 + Object.keys(presets).length);
    await service.send(`DELETE /api/v1/media/${id}`, { as: 'ada' });
    await untilStored(service, before.length);
    expect(await service.storedKeys()).toEqual(before);
  });

  test('answers ranges and conditions as any file', async () => {
    const { variants } = await upload(await quarters(70, 70));
    const { headers, bytes } = await getBytes(service, variants.card);
    const part = await getBytes(service, variants.card, { headers: { Range: 'bytes=1-3' } });
    expect([part.status, part.bytes]).toEqual([206, bytes.slice(1, 4)]);
    const known = await getBytes(service, variants.card, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
    expect(known.status).toBe(304);
  });
});

describe('no variant', () => {
  test('is made of what is no image, or by a preset that there is not', async () => {
    const encoder = new TextEncoder();
    const text = (await uploadRaw(service, encoder.encode('x'), { as: 'ada' })).json;
    expect(text.variants).toEqual({});
    const image = await upload(await quarters(5, 5));
    for (const path of [
      `/media/${text.id}/thumb/x`,
      `/media/${image.id}/none/x`,
      `/media/${image.id}/constructor/x`,
      '/media/01990000-0000-7000-8000-000000000000/thumb/x',
    ]) {
      expect([path, (await getBytes(service, path)).status]).toEqual([path, 404]);
    }
  });

  test('is made of a damaged image, whose file is served all the same', async () => {
    const whole = await quarters(300, 300, 'jpeg');
    const damaged = await upload(whole.slice(0, 400));
    expect(damaged).toMatchObject({ mime_type: 'image/jpeg', placeholder: null });
    expect((await getBytes(service, damaged.url)).status).toBe(200);
    const reply = await getBytes(service, damaged.variants.thumb);
    expect(reply.status).toBe(404);
  });

  test('is made of an image of too many pixels, which is not decoded', async () => {
    const bomb = claimingPng(12_000, 12_000);
    const made = await upload(bomb);
    expect([made.width, made.height, made.placeholder]).toEqual([12_000, 12_000, null]);
    expect((await getBytes(service, made.variants.thumb)).status).toBe(404);
  });

  test('is made of an AVIF of more than 25 megapixels, which would be decoded as a whole', async () => {
    // One colour, 5100 x 5000.
    const made = await upload(await Bun.file(new URL('large.avif', import.meta.url)).bytes());
    expect(made).toMatchObject({ mime_type: 'image/avif', width: 5100, height: 5000, placeholder: null });
    expect((await getBytes(service, made.variants.thumb)).status).toBe(404);
  });
});

test('a variant that has gone from the storage is made again, and a file that has gone is 503', async () => {
  const large = { width: 700, height: 700, fit: 'inside', format: 'png' } as const;
  await using own = await TestService.open([], { builtIn: true, mediaPresets: { large } });
  own.expectErrors(/"code":"storage_unavailable"/);
  const { storage } = own;
  await own.account('ada', 'admin');
  const noise = { create: { width: 520, height: 520, channels: 3, background: '#000', noise: gaussian } } as const;
  const bytes = new Uint8Array(await sharp(noise).png().toBuffer());
  const { url, variants } = (await uploadRaw(own, bytes, { as: 'ada', name: 'noise.png' })).json;
  const first = await getBytes(own, variants.large);
  // What is not kept in memory.
  expect([first.status, first.bytes.length > 150_000]).toEqual([200, true]);
  const [key = ''] = await own.storedKeys('variants/');
  await storage.delete(key);
  const part = await getBytes(own, variants.large, { headers: { Range: 'bytes=10-19' } });
  expect([part.status, part.bytes]).toEqual([206, first.bytes.slice(10, 20)]);
  await storage.delete(key);
  expect((await getBytes(own, variants.large)).bytes).toEqual(first.bytes);
  expect(await own.storedKeys('variants/')).toEqual([key]);

  const [original = ''] = await own.storedKeys('files/');
  await storage.delete(original);
  await storage.delete(key);
  for (const [path, headers] of [
    [url, {}],
    [url, { Range: 'bytes=1-2' }],
    [variants.large, {}],
  ] as const) {
    const gone = await getBytes(own, path, { headers });
    expect([gone.status, gone.headers.get('cache-control')]).toEqual([503, 'no-cache']);
  }
});

const gaussian = { type: 'gaussian', mean: 128, sigma: 60 } as const;
