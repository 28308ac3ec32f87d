import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';
import { Problem } from '../base/problem.ts';
import { DiskStorage } from './disk-storage.ts';
import { openStorage, storageLocation } from './open-storage.ts';
import { S3Server, s3Keys, s3ServerPath } from './s3-server.fixture.ts';
import { S3Storage } from './s3-storage.ts';
import { type ListedFile, type Storage, type StoredBytes, storedChunks } from './storage.ts';

const mebibyte = 1024 * 1024;

async function* chunked(bytes: Uint8Array, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const textOf = async (bytes: StoredBytes): Promise<string> => new Response(bytes).text();
const textChunks = (text: string): AsyncGenerator<Uint8Array> => chunked(new TextEncoder().encode(text), 3);

async function keysOf(storage: Storage, prefix: string): Promise<readonly string[]> {
  const found: ListedFile[] = [];
  for await (const file of storage.list(prefix)) found.push(file);
  return found.map(({ key }) => key).toSorted();
}

/** What every storage does, each test below a prefix of its own. */
function suite(open: () => Storage): void {
  test('returns what was stored, complete and by ranges', async () => {
    const storage = open();
    expect(await storage.put('a/one', textChunks('hello world'))).toBe(11);
    expect(await textOf(storage.get('a/one'))).toBe('hello world');
    expect(await textOf(storage.get('a/one', { start: 0, end: 1 }))).toBe('h');
    expect(await textOf(storage.get('a/one', { start: 6, end: 11 }))).toBe('world');
    const found = await storage.stat('a/one');
    expect(found?.size).toBe(11);
    expect(found?.changedAt).toBeGreaterThan(Date.parse('2020-01-01'));
  });

  test('stores empty files and files of several parts', async () => {
    const storage = open();
    const large = new Uint8Array(12 * mebibyte + 7).map((_, index) => index % 251);
    expect(await storage.put('b/empty', chunked(new Uint8Array()))).toBe(0);
    expect(await storage.put('b/large', chunked(large, 700_001))).toBe(large.length);
    expect(await textOf(storage.get('b/empty'))).toBe('');
    const read = await new Response(storage.get('b/large')).bytes();
    expect(Bun.hash(read)).toBe(Bun.hash(large));
    const range = { start: 5 * mebibyte - 3, end: 5 * mebibyte + 3 };
    const part = await new Response(storage.get('b/large', range)).bytes();
    expect(part).toEqual(large.slice(range.start, range.end));
  });

  test('reads as chunks, and stops when the reader does', async () => {
    const storage = open();
    await storage.put('c/chunks', textChunks('abcdef'));
    let text = '';
    for await (const chunk of storedChunks(storage.get('c/chunks'))) text += new TextDecoder().decode(chunk);
    expect(text).toBe('abcdef');
    for await (const chunk of storedChunks(storage.get('c/chunks'))) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
  });

  test('lists by prefix, and removes', async () => {
    const storage = open();
    for (const key of ['d/a/1', 'd/a/2', 'd/ab', 'd/b/1']) await storage.put(key, textChunks(key));
    expect(await keysOf(storage, 'd/')).toEqual(['d/a/1', 'd/a/2', 'd/ab', 'd/b/1']);
    expect(await keysOf(storage, 'd/a/')).toEqual(['d/a/1', 'd/a/2']);
    expect(await keysOf(storage, 'd/a')).toEqual(['d/a/1', 'd/a/2', 'd/ab']);
    expect(await keysOf(storage, 'nothing/')).toEqual([]);
    await storage.delete('d/a/1');
    await storage.delete('d/a/1');
    expect(await keysOf(storage, 'd/a/')).toEqual(['d/a/2']);
    expect(await storage.stat('d/a/1')).toBeUndefined();
    expect(await storage.stat('never')).toBeUndefined();
  });

  test('leaves nothing where the bytes break off', async () => {
    const storage = open();
    const broken = async function* (bytes: number): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < bytes; sent += mebibyte) yield new Uint8Array(mebibyte);
      throw new Error('The connection ended.');
    };
    for (const bytes of [0, mebibyte, 11 * mebibyte]) {
      await expect(storage.put('e/broken', broken(bytes))).rejects.toThrow('The connection ended.');
      expect(await storage.stat('e/broken')).toBeUndefined();
    }
    expect(await keysOf(storage, 'e/')).toEqual([]);
  });

  test('takes no key that is a path of its own making', async () => {
    const storage = open();
    for (const key of ['', '/a', '../a', 'a/../b', 'a//b', 'a/', 'A', 'a\0b', 'a\\b', '.unfinished/x', 'a/.b']) {
      expect(() => storage.get(key)).toThrow('is no storage key');
      await expect(storage.stat(key)).rejects.toThrow('is no storage key');
      await expect(storage.put(key, textChunks('x'))).rejects.toThrow('is no storage key');
    }
  });

  test('stores many files at the same time', async () => {
    const storage = open();
    const keys = Array.from({ length: 30 }, (_, index) => `f/${index % 3}/${index}`);
    await Promise.all(keys.map((key) => storage.put(key, textChunks(key))));
    expect(await keysOf(storage, 'f/')).toEqual(keys.toSorted());
    expect(await Promise.all(keys.map((key) => textOf(storage.get(key))))).toEqual(keys);
  });
}

describe('on disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-storage-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  suite(() => new DiskStorage(folder));

  test('removes what uploads left, but not what is being written', async () => {
    const storage = new DiskStorage(folder);
    const unfinished = join(folder, '.unfinished');
    await mkdir(unfinished, { recursive: true });
    writeFileSync(join(unfinished, 'old'), 'x');
    utimesSync(join(unfinished, 'old'), 1, 1);
    writeFileSync(join(unfinished, 'new'), 'x');
    expect(await storage.removeUnfinished(Date.now() - 60_000)).toBe(1);
    expect(readdirSync(unfinished)).toEqual(['new']);
  });

  test('is 507 where the disk is full', async () => {
    // A device on which every write fails for lack of space.
    const full = async function* (): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1);
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    const failed = await new DiskStorage(folder).put('full', full()).catch((error) => error);
    expect(failed).toBeInstanceOf(Problem);
    expect([failed.status, failed.code]).toEqual([507, 'storage_full']);
    expect(readdirSync(join(folder, '.unfinished')).filter((name) => name !== 'new')).toEqual([]);
  });

  test('is 503 where the folder cannot be used', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const failed = await new DiskStorage(file).put('x', textChunks('x')).catch((error) => error);
    expect([failed.status, failed.code]).toEqual([503, 'storage_unavailable']);
  });
});

// The tests of S3 need versitygw: `.ci/run` builds it where Go is installed.
describe.skipIf(s3ServerPath === null)('on S3', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await S3Server.start(s3ServerPath ?? '');
  });
  afterAll(() => server[Symbol.asyncDispose]());
  suite(() => new S3Storage(server.location('some/prefix/'), s3Keys));

  test('keeps to its prefix', async () => {
    const [one, other] = ['one/', 'other/'].map((prefix) => new S3Storage(server.location(prefix), s3Keys));
    await one?.put('file', textChunks('x'));
    expect(await other?.stat('file')).toBeUndefined();
    expect(other === undefined ? [] : await keysOf(other, '')).toEqual([]);
  });

  test('is 503 where the keys are wrong, and where nobody answers', async () => {
    const wrong = new S3Storage(server.location(), { ...s3Keys, secretAccessKey: 'another secret' });
    const away = new S3Storage({ ...server.location(), endpoint: 'http://127.0.0.1:1' }, s3Keys);
    for (const storage of [wrong, away]) {
      const works = [
        () => storage.put('x', textChunks('x')),
        () => storage.stat('x'),
        () => storage.delete('x'),
        () => keysOf(storage, ''),
      ];
      for (const work of works) {
        const failed = await work().then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(failed).toBeInstanceOf(Problem);
        expect(failed).toMatchObject({ status: 503, code: 'storage_unavailable' });
      }
    }
  });
});

describe('openStorage', () => {
  test('keeps files in the data folder unless a place is named', () => {
    expect(storageLocation({ dataDir: '/d', storageUrl: undefined })).toEqual({ kind: 'file', path: '/d/media' });
    expect(openStorage({ kind: 'file', path: '/x' }).description).toBe('/x');
  });

  test('asks for the keys of S3', () => {
    const location = { kind: 's3', bucket: 'files', prefix: '', virtualHosted: false } as const;
    expect(() => openStorage(location, {})).toThrow(FatalError);
    const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'very secret' };
    expect(openStorage(location, keys).description).toBe('s3://files/');
  });
});
