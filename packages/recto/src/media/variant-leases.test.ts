// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quarters } from '../../../../test/http/media/media-calls.ts';
import { openTestDatabase } from '../../../../test/support/database/database.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import { newFileKey } from './storage-keys.ts';
import { VariantLeases } from './variant-leases.ts';
import { Variants } from './variants.ts';

const preset = { width: 20, height: 20, fit: 'cover', format: 'png' } as const;
const framing = { focal: { x: null, y: null }, crop: null };

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A storage that counts what is stored of variants. */
class CountingStorage extends DiskStorage {
  stored = 0;

  override put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    if (key.startsWith('variants/')) this.stored += 1;
    return super.put(key, bytes);
  }
}

async function world() {
  const folder = mkdtempSync(join(tmpdir(), 'recto-variants-'));
  const database = await openTestDatabase();
  const other = await database.again();
  const storage = new CountingStorage(folder);
  const image = await quarters(64, 64);
  const source = async () => {
    const key = newFileKey();
    return { key, size: await storage.put(key, once(image)), ...framing };
  };
  const close = async (): Promise<void> => {
    await other.close();
    await database[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  return { database, other, storage, source, [Symbol.asyncDispose]: close };
}

test('two processes make a variant once', async () => {
  await using place = await world();
  const processes = [place.database, place.other].map(
    (database) => new Variants(place.storage, new VariantLeases(database)),
  );
  for (let round = 1; round <= 5; round += 1) {
    const source = await place.source();
    const asked = Array.from({ length: 10 }, () => processes.map((variants) => variants.get(source, preset, 'png')));
    const made = await Promise.all(asked.flat());
    expect(new Set(made.map(({ key }) => key)).size).toBe(1);
    expect(place.storage.stored).toBe(round);
  }
});

test('what a killed process was making is made by another', async () => {
  await using place = await world();
  const source = await place.source();
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of place.storage.list('variants/')) found.push(key);
    return found;
  };
  const variants = new Variants(place.storage, new VariantLeases(place.database));
  const { key } = await variants.get(source, preset, 'png');
  await place.storage.delete(key);
  // Its lease is released after the answer.
  expect(await new VariantLeases(place.database, Infinity).released(key)).toBe(true);
  // Another process has taken it, and is gone.
  expect(await new VariantLeases(place.other).take(key)).toBe(true);
  const again = new Variants(place.storage, new VariantLeases(place.database, 100));
  expect((await again.get(source, preset, 'png')).key).toBe(key);
  expect(await keys()).toEqual([key]);
  // Its lease ends, and the next takes it over.
  const leases = new VariantLeases(place.database);
  expect(await leases.take(key)).toBe(false);
  await leases.removeExpired(Date.now() + 600_000);
  expect(await leases.take(key)).toBe(true);
  await leases.release(key);
  expect(await leases.released(key)).toBe(true);
});
