import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { CodeFolder } from '../../support/code-folder.ts';
import { query } from '../../support/database/database.ts';
import { randomCases } from '../../support/random-cases.ts';
import { TestService } from '../../support/service.ts';
import { getBytes, quarters, type SentFile, uploadForm, uploadRaw } from './media-calls.ts';

const presets = {
  preview: { width: 1280, height: 1280, fit: 'inside', format: 'auto' },
  card: { width: 60, height: 30, fit: 'cover', format: 'png' },
  boxed: { width: 50, height: 50, fit: 'contain', format: 'png' },
} as const;

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([], { builtIn: true, mediaPresets: presets });
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const upload = async (bytes: Uint8Array<ArrayBuffer>, sent: SentFile = {}) =>
  (await uploadRaw(service, bytes, { as: 'ada', name: 'image.png', ...sent })).json;

const change = (id: string, body: unknown) => service.send(`PUT /api/v1/media/${id}`, { as: 'ada', body });

/** The size of a variant, and which of the four colours it has. */
async function seen(url: string): Promise<{ readonly size: readonly number[]; readonly colours: readonly string[] }> {
  const { status, bytes } = await getBytes(service, url);
  expect(status).toBe(200);
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const names = ['black', 'red', 'green', 'yellow', 'blue', 'pink', 'cyan', 'white'];
  const counts = new Map<string, number>();
  for (let at = 0; at < data.length; at += info.channels) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    const name = names[Number(red > 127) + 2 * Number(green > 127) + 4 * Number(blue > 127)] ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  // Edges between two colours have some of others.
  const colours = [...counts].filter(([, count]) => count > data.length / info.channels / 10).map(([name]) => name);
  return { size: [info.width, info.height], colours: colours.sort() };
}

describe('the crop of an image', () => {
  test('is what its variants show, while the file and its size stay', async () => {
    const bytes = await quarters(400, 200);
    const before = await upload(bytes);
    expect(before.crop).toBeNull();
    const reply = await change(before.id, { crop: { x: 0.5, y: 0, width: 0.5, height: 0.5 } });
    expect(reply.status).toBe(200);
    const { crop, url, width, height, variants } = reply.json;
    expect(crop).toEqual({ x: 0.5, y: 0, width: 0.5, height: 0.5 });
    expect([url, width, height]).toEqual([before.url, 400, 200]);
    expect((await getBytes(service, url)).bytes).toEqual(bytes);
    expect(variants.preview).not.toBe(before.variants.preview);
    expect(await seen(variants.preview)).toEqual({ size: [200, 100], colours: ['green'] });
    expect(await seen(variants.card)).toEqual({ size: [60, 30], colours: ['green'] });
    expect((await seen(variants.boxed)).size).toEqual([50, 50]);
    const cached = await getBytes(service, variants.preview);
    expect(cached.headers.get('cache-control')).toContain('immutable');

    const again = (await change(before.id, { crop: null })).json;
    expect([again.crop, again.variants]).toEqual([null, before.variants]);
    expect((await seen(again.variants.preview)).size).toEqual([400, 200]);
  });

  test('is left out by crop=none, also of a signed address', async () => {
    const fields = { visibility: 'private', crop: '{"x":0,"y":0,"width":0.5,"height":0.5}' };
    const sent = { as: 'ada', name: 'image.png', fields };
    const { id, variants } = (await uploadForm(service, await quarters(400, 200), sent)).json;
    const { json: signed } = await service.send(`POST /api/v1/media/${id}/sign`, { as: 'ada', body: { seconds: 60 } });
    expect(await seen(signed.variants.preview)).toEqual({ size: [200, 100], colours: ['red'] });
    const whole = await seen(`${signed.variants.preview}&crop=none`);
    expect(whole).toEqual({ size: [400, 200], colours: ['blue', 'green', 'red', 'white'] });
    expect((await getBytes(service, `${variants.preview}&crop=none`)).status).toBe(404);
    expect((await getBytes(service, `${signed.variants.preview}&crop=all`)).status).toBe(400);
  });

  test('has an entity tag of its own, and one without a crop that of before', async () => {
    const { id, variants } = await upload(await quarters(100, 100));
    const first = (await getBytes(service, variants.card)).headers.get('etag');
    const cut = (await change(id, { crop: { x: 0, y: 0, width: 0.5, height: 1 } })).json;
    const second = (await getBytes(service, cut.variants.card)).headers.get('etag');
    const whole = await getBytes(service, `${cut.variants.card}&crop=none`);
    expect(second).not.toBe(first);
    expect(whole.headers.get('etag')).toBe(first);
    // The address is that of the part.
    expect(whole.headers.get('cache-control')).toBe('no-cache');
    const old = await getBytes(service, variants.card, { headers: { 'If-None-Match': first ?? '' } });
    expect([old.status, old.headers.get('etag')]).toEqual([200, second]);
  });

  test('holds the focal point, or its nearest edge does', async () => {
    // Of the lower half, a card shows the width and a part of the height.
    const { id } = await upload(await quarters(60, 240));
    const crop = { x: 0, y: 0.25, width: 1, height: 0.5 };
    const at = async (focal_x: number | null, focal_y: number | null) => {
      const { variants } = (await change(id, { crop, focal_x, focal_y })).json;
      return seen(variants.card);
    };
    expect(await at(0.5, 0.3)).toEqual({ size: [60, 30], colours: ['green', 'red'] });
    expect(await at(0.5, 0.7)).toEqual({ size: [60, 30], colours: ['blue', 'white'] });
    expect(await at(0.5, 0)).toEqual({ size: [60, 30], colours: ['green', 'red'] });
    expect(await at(null, 1)).toEqual({ size: [60, 30], colours: ['blue', 'white'] });
    expect((await at(null, null)).colours).toEqual(['blue', 'green', 'red', 'white']);
  });

  test('is a part of the image as it is shown, upright', async () => {
    const plain = sharp(await quarters(60, 30));
    const turned = new Uint8Array(await plain.withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer());
    const { width, height, id } = await upload(turned, { name: 'turned.jpg' });
    expect([width, height]).toEqual([30, 60]);
    // Turned by a quarter to the right: what was below on the left is above on the left.
    const { variants } = (await change(id, { crop: { x: 0, y: 0, width: 0.5, height: 0.5 } })).json;
    expect(await seen(variants.preview)).toEqual({ size: [15, 30], colours: ['blue'] });
    expect((await seen(variants.card)).colours).toEqual(['blue']);
  });

  test('comes with an upload as a part of the form', async () => {
    const send = async (crop: string) =>
      uploadForm(service, await quarters(50, 40), { as: 'ada', name: 'a.png', fields: { crop } });
    const { status, json } = await send('{"x":0.1,"y":0.2,"width":0.3,"height":0.4}');
    expect([status, json.crop]).toEqual([201, { x: 0.1, y: 0.2, width: 0.3, height: 0.4 }]);
    expect((await seen(json.variants.preview)).size).toEqual([15, 16]);
    expect((await send('')).json.crop).toBeNull();
    const refused = await send('{"x":0.1');
    expect([refused.status, refused.json.errors[0].field]).toEqual([422, 'crop']);
  });

  test.each([
    [{ x: 0.5, y: 0, width: 0.6, height: 1 }, 'crop.width', 'too_large'],
    [{ x: 0, y: 0.75, width: 1, height: 0.26 }, 'crop.height', 'too_large'],
    [{ x: 0, y: 0, width: 0, height: 1 }, 'crop.width', 'too_small'],
    [{ x: -0.1, y: 0, width: 1, height: 1 }, 'crop.x', 'too_small'],
    [{ x: 0, y: 1, width: 1, height: 1 }, 'crop.y', 'too_large'],
    [{ x: 0, y: 0, width: 1 }, 'crop.height', 'required'],
    [{ x: 0, y: 0, width: 1, height: '1' }, 'crop.height', 'wrong_type'],
    [{ x: 0, y: 0, width: 1, height: 1, unit: '%' }, 'crop.unit', 'unknown_field'],
    ['0,0,1,1', 'crop', 'wrong_type'],
    [[0, 0, 1, 1], 'crop', 'wrong_type'],
  ])('cannot be %j', async (crop, field, code) => {
    const { id, variants } = await upload(await quarters(20, 20));
    const { status, json } = await change(id, { crop });
    expect([status, json.code]).toEqual([422, 'validation_failed']);
    expect(json.errors.map((fault: { field: string; code: string }) => [fault.field, fault.code])).toEqual([
      [field, code],
    ]);
    const after = (await service.send(`GET /api/v1/media/${id}`, { as: 'ada' })).json;
    expect([after.crop, after.variants]).toEqual([null, variants]);
  });

  test('stays with other bytes of the same proportions, and goes with those of others', async () => {
    const { id } = await upload(await quarters(400, 200));
    const crop = { x: 0.5, y: 0.5, width: 0.5, height: 0.5 };
    await change(id, { crop });
    const put = async (bytes: Uint8Array<ArrayBuffer>) =>
      (await service.send(`PUT /api/v1/media/${id}/file`, { as: 'ada', body: bytes, headers: png })).json;
    const png = { 'Content-Type': 'image/png' };
    const larger = await put(await quarters(800, 400));
    expect(larger.crop).toEqual(crop);
    expect(await seen(larger.variants.preview)).toEqual({ size: [400, 200], colours: ['white'] });
    const other = await put(await quarters(300, 300));
    expect(other.crop).toBeNull();
    expect((await seen(other.variants.preview)).size).toEqual([300, 300]);
  });

  test('counts as none where the database has something else', async () => {
    const bytes = await quarters(40, 20);
    const { id, variants } = await upload(bytes);
    const broken = [
      '"all"',
      '[]',
      '{"x":0,"y":0,"width":1}',
      '{"x":-1,"y":0,"width":1,"height":1}',
      '{"x":5,"y":0,"width":1,"height":1}',
      '{"x":0,"y":0,"width":0,"height":1}',
      '{"x":0.2,"y":0.2,"width":5,"height":5}',
      '{"x":1e308,"y":-1e308,"width":1e308,"height":1e308}',
    ];
    for (const value of broken) {
      await service.database.transaction(async (transaction) => {
        await transaction.run(query('update cms_media set crop = ? where id = ?', value, id));
        transaction.touch('media');
      });
      const { headers } = await getBytes(service, variants.preview);
      expect([value, headers.get('cache-control')]).toEqual([value, 'public, max-age=31536000, immutable']);
      expect([value, (await seen(variants.preview)).size]).toEqual([value, [40, 20]]);
    }
  });

  test('that a hook sets is in the addresses too', async () => {
    using code = new CodeFolder({
      'hooks/media.ts': `import { hooks } from 'recto';
const crop = { x: 0, y: 0, width: 0.5, height: 1 };
export default hooks('media', {
  check({ record }) { if (record.alt === 'check') record.crop = crop; },
  async write({ record }) { if (record.alt === 'write') record.crop = crop; },
});`,
    });
    await using hooked = await TestService.open([], { builtIn: true, mediaPresets: presets, code: code.path });
    await hooked.account('ada', 'admin');
    const bytes = await quarters(400, 200);
    const plain = (await uploadForm(hooked, bytes, { as: 'ada', name: 'a.png' })).json;
    for (const alt of ['check', 'write']) {
      const sent = { as: 'ada', name: 'a.png', fields: { alt } };
      const made = (await uploadForm(hooked, bytes, sent)).json;
      const changed = (await hooked.send(`PUT /api/v1/media/${plain.id}`, { as: 'ada', body: { alt } })).json;
      for (const { crop, variants } of [made, changed]) {
        expect([alt, crop.width]).toEqual([alt, 0.5]);
        const { headers } = await getBytes(hooked, variants.preview);
        expect([alt, headers.get('cache-control')]).toEqual([alt, 'public, max-age=31536000, immutable']);
      }
      await hooked.send(`PUT /api/v1/media/${plain.id}`, { as: 'ada', body: { alt: '', crop: null } });
    }
  });

  test('is not kept by caches of a private file under the address of another', async () => {
    const fields = { visibility: 'private' };
    const { id } = (await uploadForm(service, await quarters(40, 20), { as: 'ada', name: 'a.png', fields })).json;
    const { json: signed } = await service.send(`POST /api/v1/media/${id}/sign`, { as: 'ada', body: { seconds: 60 } });
    const cacheControl = async () => (await getBytes(service, signed.variants.card)).headers.get('cache-control');
    expect(await cacheControl()).toMatch(/^private, max-age=/);
    await change(id, { crop: { x: 0, y: 0, width: 0.5, height: 1 } });
    expect(await cacheControl()).toBe('private, no-cache');
    await change(id, { crop: null });
    expect(await cacheControl()).toMatch(/^private, max-age=/);
  });

  test('has the pixels that its shares say, of any image', async () => {
    const share = fc.integer({ min: 0, max: 999 }).map((thousandths) => thousandths / 1000);
    const part = fc.tuple(share, share, share, share).map(([x, y, w, h]) => ({
      x,
      y,
      width: Math.max(0.001, Number((w * (1 - x)).toFixed(6))),
      height: Math.max(0.001, Number((h * (1 - y)).toFixed(6))),
    }));
    const side = fc.integer({ min: 1, max: 90 });
    await fc.assert(
      fc.asyncProperty(side, side, part, share, async (width, height, crop, focal_x) => {
        const { id } = await upload(new Uint8Array(await quarters(width, height)));
        const { variants } = (await change(id, { crop, focal_x })).json;
        const wanted = (from: number, extent: number, whole: number): number =>
          Math.max(
            1,
            Math.min(whole, Math.round((from + extent) * whole)) - Math.min(whole - 1, Math.round(from * whole)),
          );
        const size = [wanted(crop.x, crop.width, width), wanted(crop.y, crop.height, height)];
        expect((await seen(variants.preview)).size).toEqual(size);
        const [cardWidth = 0, cardHeight = 0] = (await seen(variants.card)).size;
        expect(cardWidth <= 60 && cardHeight <= 30 && cardWidth >= 1 && cardHeight >= 1).toBe(true);
      }),
      { numRuns: randomCases(40) },
    );
  });
});
