// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  moveMedia,
  sweepMedia,
  unfinishedMs,
  verifyMedia,
} from '../../../packages/recto/src/media/media-maintenance.ts';
import { DiskStorage } from '../../../packages/recto/src/storage/disk-storage.ts';
import { openStorage } from '../../../packages/recto/src/storage/open-storage.ts';
import type { Storage } from '../../../packages/recto/src/storage/storage.ts';
import { TestService } from '../../support/service.ts';
import { onS3, testStorage } from '../../support/storage.ts';
import { getBytes, quarters, uploadRaw } from './media-calls.ts';

let service: TestService;
let storage: Storage;
const folder = mkdtempSync(join(tmpdir(), 'recto-maintenance-'));
const location = testStorage();
beforeAll(async () => {
  service = await TestService.open([], { builtIn: true, storage: location });
  await service.account('ada', 'admin');
  storage = openStorage(location);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const place = () => ({ database: service.database, storage });
const text = (content: string) => new TextEncoder().encode(content);
async function* bytesOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof content === 'string' ? text(content) : content;
}

describe('maintenance', () => {
  test('finds files that are missing, damaged, or belong to nothing, and removes the latter', async () => {
    const image = await quarters(20, 20);
    const made = await uploadRaw(service, image, { as: 'ada' });
    await getBytes(service, made.json.variants.thumb);
    for (const content of ['one', 'two', 'three'])
      await uploadRaw(service, text(content), { as: 'ada', name: content });
    expect(await verifyMedia(place())).toMatchObject({ files: 4, faults: [] });

    const keys = await service.storedKeys('files/');
    const bySize = async (size: number): Promise<string> => {
      for (const key of keys) if ((await storage.stat(key))?.size === size) return key;
      throw new Error(`There is no file of ${size} bytes.`);
    };
    const [missing, longer, changed] = [await bySize(5), keys[0] ?? '', await bySize(image.length)];
    await storage.delete(missing);
    await storage.put(changed, bytesOf(new Uint8Array(image.length)));
    await storage.put('files/ab/stray', bytesOf('stray'));
    await storage.put('variants/ab/stray/x.png', bytesOf('stray'));
    await storage.put('uploads/gone/x', bytesOf('stray'));
    // On S3, parts of broken uploads are for a rule of the bucket.
    const unfinished = join(storage.description, '.unfinished');
    if (!onS3) writeFileSync(join(unfinished, 'broken'), 'x');
    // What is young may belong to an upload that runs.
    const early = await verifyMedia(place());
    expect(early.faults.map(({ kind }) => kind).toSorted()).toEqual(['missing', 'wrong_hash']);
    expect(early.unfinished).toMatchObject({ files: 3 });
    const { newest = 0 } = early.unfinished ?? {};
    const edge = newest + unfinishedMs;
    expect((await verifyMedia(place(), undefined, edge)).unfinished).not.toBeNull();
    const kinds = (await verifyMedia(place(), undefined, edge + 1)).faults
      .map(({ kind, at }) => `${kind} ${at}`)
      .toSorted();
    expect(kinds).toEqual(
      [
        `missing ${missing}`,
        `wrong_hash ${changed}`,
        'file_without_row files/ab/stray',
        'file_without_row variants/ab/stray/x.png',
        'file_without_row uploads/gone/x',
      ].toSorted(),
    );
    expect(longer).not.toBe('');

    const none = { unused: 0, strays: 0, unfinished: 0, variants: 0 };
    expect(await sweepMedia(place(), newest - 60_000)).toEqual({ ...none, left: { files: 3, newest } });
    const swept = { ...none, strays: 3, unfinished: onS3 ? 0 : 1, left: null };
    expect(await sweepMedia(place(), Date.now() + 1000)).toEqual(swept);
    if (!onS3) expect(readdirSync(unfinished)).toEqual([]);
    expect((await verifyMedia(place())).faults.map(({ kind }) => kind).toSorted()).toEqual(['missing', 'wrong_hash']);
    await storage.put(changed, bytesOf(image));
    await storage.put(missing, bytesOf('three'));
    expect((await verifyMedia(place())).faults).toEqual([]);
  });

  test('moves all files, and goes on after a break', async () => {
    const target = new DiskStorage(join(folder, 'target'));
    const [first = ''] = await service.storedKeys('files/');
    const { size = 0 } = (await storage.stat(first)) ?? {};
    expect(await moveMedia(place(), target)).toMatchObject({ copied: 4, kept: 0 });
    await target.delete(first);
    expect(await moveMedia(place(), target)).toEqual({ copied: 1, kept: 3, bytes: size });
    expect((await verifyMedia({ ...place(), storage: target })).faults).toEqual([]);
    // What is damaged is not moved as if it were whole.
    await target.delete(first);
    await storage.put(first, bytesOf(new Uint8Array(size)));
    await expect(moveMedia(place(), target)).rejects.toThrow('is damaged');
    expect(await target.stat(first)).toBeUndefined();
  });

  test('removes variants that are cut as no record says any more', async () => {
    const { json: made } = await uploadRaw(service, await quarters(60, 40), { as: 'ada', name: 'cut.png' });
    const change = async (body: object) =>
      (await service.send(`PUT /api/v1/admin/media/${made.id}`, { as: 'ada', body })).json;
    // Another record with the same bytes, cut in its own way.
    const { json: twin } = await uploadRaw(service, await quarters(60, 40), { as: 'ada', name: 'twin.png' });
    expect(twin.hash).toBe(made.hash);
    const shown = async (variants: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      const before = new Set(await service.storedKeys('variants/'));
      await getBytes(service, variants.thumb ?? '');
      return (await service.storedKeys('variants/')).filter((key) => !before.has(key));
    };
    const whole = await shown(made.variants);
    const crop = { x: 0, y: 0, width: 0.5, height: 1 };
    const first = await shown((await change({ crop })).variants);
    const second = await shown((await change({ crop: { ...crop, x: 0.5 } })).variants);
    await service.send(`PUT /api/v1/admin/media/${twin.id}`, { as: 'ada', body: { crop: { ...crop, width: 0.25 } } });
    const ofTwin = await shown((await service.send(`GET /api/v1/media/${twin.id}`, { as: 'ada' })).json.variants);
    expect([whole, first, second, ofTwin].map(({ length }) => length)).toEqual([1, 1, 1, 1]);

    // A variant that was just made may be of a change that is under way.
    expect(await sweepMedia(place(), Date.now() - 3_600_000)).toMatchObject({ variants: 0 });
    expect(await sweepMedia(place(), Date.now() + 1000)).toMatchObject({ variants: 1, strays: 0 });
    const left = await service.storedKeys('variants/');
    expect(left).not.toContain(first[0]);
    expect(left).toEqual(expect.arrayContaining([...whole, ...second, ...ofTwin]));
    // What is cut so again is shown again, from memory or made anew.
    const again = await getBytes(service, (await change({ crop })).variants.thumb);
    expect(again.status).toBe(200);
  });
});
