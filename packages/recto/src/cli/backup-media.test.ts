// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quarters, uploadRaw } from '../../../../test/http/media/media-calls.ts';
import { onPostgres } from '../../../../test/support/database/database.ts';
import { runCommand } from '../../../../test/support/processes/run-command.ts';
import { TestService } from '../../../../test/support/service.ts';
import type { StorageLocation } from '../config/setting-type.ts';
import { verifyMedia } from '../media/media-maintenance.ts';
import { openStorage } from '../storage/open-storage.ts';
import { S3Server, s3Keys, s3ServerPath } from '../storage/s3-server.fixture.ts';
import { type Storage, storedChunks } from '../storage/storage.ts';

const s3Environment = { AWS_ACCESS_KEY_ID: s3Keys.accessKeyId, AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey };

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const large = new Uint8Array(3_000_000).map((_, index) => (index * 31) % 251);

interface Place {
  readonly url: string;
  readonly location: StorageLocation;
  readonly environment: Readonly<Record<string, string>>;
}

/** The whole way of an archive, with the files in a storage. */
function suite(places: () => Promise<{ readonly from: Place; readonly to: Place }>): void {
  let folder: string;
  let service: TestService;
  let storage: Storage;
  let from: Place;
  let to: Place;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'recto-archive-'));
    ({ from, to } = await places());
    service = await TestService.open([], { builtIn: true, storage: from.location });
    storage = openStorage(from.location, from.environment);
    await service.account('ada', 'admin');
    for (const [name, bytes] of [
      ['harbour.png', await quarters(40, 30)],
      ['large.bin', large],
      ['empty.txt', bytesOf('')],
      ['‮txt.exe', bytesOf('a name in the other direction')],
    ] as const) {
      expect((await uploadRaw(service, bytes, { as: 'ada', name })).status).toBe(201);
    }
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const file = (name: string): string => join(folder, name);
  const backUp = (name: string) =>
    runCommand(['backup', file(name), '--with-media', '--json'], {
      environment: {
        ...from.environment,
        RECTO_DATABASE_URL: `sqlite:${service.database.path}`,
        RECTO_STORAGE_URL: from.url,
      },
    });
  const restore = (name: string, data: string, place: Place = to) =>
    runCommand(['restore', file(name), '--json'], {
      environment: { ...place.environment, RECTO_DATA_DIR: file(data), RECTO_STORAGE_URL: place.url },
    });
  const keysOf = async (place: Place): Promise<readonly string[]> => {
    const keys: string[] = [];
    for await (const { key } of openStorage(place.location, place.environment).list('')) keys.push(key);
    return keys.toSorted();
  };

  test('an archive has the database and the files, and a restore brings both back', async () => {
    const backup = await backUp('whole.tar');
    expect(backup).toMatchObject({ exitCode: 0, err: '' });
    expect(JSON.parse(backup.out)).toMatchObject({ ok: true, media: { files: 4, missing: [], damaged: [] } });
    const listed = Bun.spawnSync(['tar', '-tf', file('whole.tar')])
      .stdout.toString()
      .trim()
      .split('\n');
    expect(listed.slice(-2)).toEqual(['recto.db', 'recto-backup.json']);
    expect(listed.slice(0, -2).toSorted()).toEqual([...(await service.storedKeys('files/'))]);

    const restored = await restore('whole.tar', 'whole');
    expect(restored).toMatchObject({ exitCode: 0, err: '' });
    expect(JSON.parse(restored.out)).toMatchObject({ ok: true, media: { files: 4 } });
    expect(readdirSync(file('whole')).filter((name) => name !== 'media')).toEqual(['recto.db']);
    await using again = await TestService.open([], {
      builtIn: true,
      database: { location: { kind: 'sqlite', path: join(file('whole'), 'recto.db') } },
    });
    const report = await verifyMedia({ database: again.database, storage: openStorage(to.location, to.environment) });
    expect(report).toMatchObject({ files: 4, faults: [] });
    // Run again over what is there, it changes nothing.
    const keys = await keysOf(to);
    expect((await restore('whole.tar', 'twice')).exitCode).toBe(0);
    expect(await keysOf(to)).toEqual(keys);
  });

  test('damaged and incomplete archives are rejected, and leave nothing', async () => {
    const whole = readFileSync(file('whole.tar'));
    const nowhere = { ...to, location: within(to.location, 'nowhere'), url: urlWithin(to, 'nowhere') };
    const changed = Buffer.from(whole);
    changed.fill(
      0,
      whole.indexOf(Buffer.from(large.subarray(500_000, 500_064))),
      whole.indexOf(Buffer.from(large.subarray(500_064, 500_128))),
    );
    const cases: readonly [name: string, bytes: Uint8Array][] = [
      ['bytes of a file', changed],
      ['no end', whole.subarray(0, whole.length - 4096)],
      ['half', whole.subarray(0, Math.floor(whole.length / 2))],
      ['the first header alone', whole.subarray(0, 512)],
    ];
    for (const [name, bytes] of cases) {
      writeFileSync(file('bad.tar'), bytes);
      const { exitCode, out } = await restore('bad.tar', 'bad', nowhere);
      expect({ name, exitCode, message: JSON.parse(out).message }).toMatchObject({
        name,
        exitCode: 1,
        message: expect.stringContaining('Nothing was touched.'),
      });
      expect(existsSync(file('bad'))).toBe(false);
      expect(await keysOf(nowhere)).toEqual([]);
    }
  });

  test('a restore that fails leaves the files that are there, and one that does not replaces those that differ', async () => {
    const place = { ...to, location: within(to.location, 'same'), url: urlWithin(to, 'same') };
    const there = openStorage(place.location, place.environment);
    const bytes = async (key: string): Promise<Uint8Array> =>
      Buffer.concat(await Array.fromAsync(storedChunks(there.get(key))));
    expect((await restore('whole.tar', 'same', place)).exitCode).toBe(0);
    const keys = await keysOf(place);
    const largest = keys[(await Promise.all(keys.map(bytes))).findIndex(({ length }) => length === large.length)] ?? '';
    // Bytes that are not those of the archive, and some that are.
    for (const key of keys) if (key !== largest) await there.put(key, once(bytesOf(`other bytes of ${key}`)));
    const before = await Promise.all(keys.map(bytes));
    const whole = readFileSync(file('whole.tar'));
    const damaged = Buffer.from(whole);
    damaged.fill(1, whole.indexOf(large.subarray(500_000, 500_064)), whole.indexOf(large.subarray(500_064, 500_128)));
    for (const archive of [damaged, whole.subarray(0, whole.length - 4096)]) {
      writeFileSync(file('bad.tar'), archive);
      expect((await restore('bad.tar', 'bad', place)).exitCode).toBe(1);
      expect(await keysOf(place)).toEqual(keys);
      expect(await Promise.all(keys.map(bytes))).toEqual(before);
    }
    expect((await restore('whole.tar', 'again', place)).exitCode).toBe(0);
    expect(await keysOf(place)).toEqual(keys);
    expect(await verifyMedia({ database: service.database, storage: there })).toMatchObject({ files: 4, faults: [] });
  });

  test('files that are missing or damaged are named, and all others are in it', async () => {
    const [first = '', second = ''] = await service.storedKeys('files/');
    const sizes = new Map<string, number>();
    for (const key of [first, second]) sizes.set(key, (await storage.stat(key))?.size ?? 0);
    const damagedKey = sizes.get(first) === 0 ? second : first;
    const missingKey = damagedKey === first ? second : first;
    await storage.delete(missingKey);
    await storage.put(damagedKey, zeros(sizes.get(damagedKey) ?? 0));
    const backup = await backUp('lacking.tar');
    expect(backup.exitCode).toBe(1);
    expect(JSON.parse(backup.out)).toMatchObject({
      ok: false,
      media: { files: 3, missing: [missingKey], damaged: [damagedKey] },
    });
    const place = { ...to, location: within(to.location, 'lacking'), url: urlWithin(to, 'lacking') };
    const restored = await restore('lacking.tar', 'lacking', place);
    expect(restored.exitCode).toBe(0);
    expect(JSON.parse(restored.out)).toMatchObject({ media: { missing: [missingKey], damaged: [damagedKey] } });
    expect((await keysOf(place)).length).toBe(2);
  });
}

const zeros = (size: number): AsyncGenerator<Uint8Array> => once(new Uint8Array(size));

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const within = (location: StorageLocation, name: string): StorageLocation =>
  location.kind === 'file'
    ? { ...location, path: join(location.path, '..', name) }
    : { ...location, prefix: `${name}/` };

const urlWithin = ({ url, location }: Place, name: string): string =>
  location.kind === 'file'
    ? `file:${join(location.path, '..', name)}`
    : url.replace(/recto-tests\/[a-z]+/, `recto-tests/${name}`);

describe.skipIf(onPostgres)('with files on disk', () => {
  let folder: string;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  suite(async () => {
    folder = mkdtempSync(join(tmpdir(), 'recto-archive-files-'));
    const place = (name: string): Place => {
      const path = join(folder, name);
      return { url: `file:${path}`, location: { kind: 'file', path }, environment: {} };
    };
    return { from: place('from'), to: place('to') };
  });
});

// The tests of S3 need versitygw: `.ci/run` builds it where Go is installed.
describe.skipIf(onPostgres || s3ServerPath === null)('with files on S3', () => {
  let server: S3Server;
  const before = { ...Bun.env };
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    for (const name of Object.keys(s3Environment)) {
      if (before[name] === undefined) delete Bun.env[name];
      else Bun.env[name] = before[name];
    }
  });
  suite(async () => {
    server = await S3Server.start(s3ServerPath ?? '');
    // The service of the test reads them from here.
    Object.assign(Bun.env, s3Environment);
    const place = (name: string): Place => ({
      url: `s3://recto-tests/${name}?endpoint=${server.url}&region=us-east-1`,
      location: server.location(`${name}/`),
      environment: s3Environment,
    });
    return { from: place('from'), to: place('to') };
  });
});

test.skipIf(!onPostgres)('a PostgreSQL database is left to pg_dump, and the files to recto media move', async () => {
  const environment = { RECTO_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
  const { exitCode, err } = await runCommand(['backup', 'x.tar', '--with-media'], { environment });
  expect(exitCode).toBe(1);
  expect(err).toContain('pg_dump');
  expect(err).toContain('recto media move');
});
