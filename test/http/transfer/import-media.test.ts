import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepMedia, verifyMedia } from '../../../packages/recto/src/media/media-maintenance.ts';
import { openStorage } from '../../../packages/recto/src/storage/open-storage.ts';
import { tarEntries, writeTarFile } from '../../../packages/recto/src/transfer/archive/tar-file.ts';
import { plantedId } from '../../spec/rules/planted.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { testStorage } from '../../support/storage.ts';
import { getBytes, quarters, uploadRaw } from '../media/media-calls.ts';

// databases: sqlite, postgres

// Records of media from elsewhere: what the service computes from bytes, no import sets.

const imports = '/api/v1/admin/imports';
const definitions = [
  {
    singular: 'place',
    plural: 'places',
    protocols: ['nestable', { name: 'versionable', drafts: true }, 'statusable'],
    fields: [{ name: 'text', field_type: 'richtext' }],
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true });
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Imports records; returns what the check and the import report. */
async function imported(name: string, records: readonly object[]) {
  const { json, text } = await service.send(`POST ${imports}?format=records&name=${name}`, {
    ...{ as: 'ada', body: lines(records), headers: { 'Content-Type': 'application/octet-stream' } },
  });
  if (json.id === undefined) throw new Error(text);
  await service.runJobs();
  const { check, error } = (await service.send(`GET ${imports}/${json.id}`, { as: 'ada' })).json;
  if (error !== null) throw new Error(error);
  await service.send(`POST ${imports}/${json.id}/run`, { as: 'ada' });
  await service.runJobs();
  return { check, result: (await service.send(`GET ${imports}/${json.id}`, { as: 'ada' })).json.result };
}

const get = (id: string): Promise<Reply> => service.send(`GET /api/v1/admin/media/${id}`, { as: 'ada' });
const hostile = {
  mime_type: 'image/svg+xml; charset=x',
  size: 1,
  width: 9,
  height: 9,
  pages: 9,
  duration: 9,
  placeholder: 'x',
  url: 'https://elsewhere.example/x.svg',
  variants: 'x?v=1-',
};

describe('a record of media', () => {
  test('gets what its bytes show, whatever the import says, where the storage has them', async () => {
    const image = await quarters(20, 10);
    const real = (await uploadRaw(service, image, { as: 'ada', name: 'real.png' })).json;
    const id = plantedId(700);
    const { check, result } = await imported('media.ndjson', [
      { id, name: '../b\nc.png', hash: real.hash, ...hostile },
    ]);
    for (const report of [check, result]) {
      expect(report.counts).toMatchObject([{ kind: 'media', taken: 1, failed: 0 }]);
      expect(report.missing_files).toBeUndefined();
    }
    const { json } = await get(id);
    expect(json).toMatchObject({
      ...{ name: 'bc.png', hash: real.hash, mime_type: 'image/png', size: image.length, width: 20, height: 10 },
      ...{ pages: null, duration: null, placeholder: real.placeholder },
      url: `/media/${id}/bc.png?v=${real.hash.slice(0, 12)}`,
    });
    for (const address of Object.values(json.variants)) expect(address).toStartWith(`/media/${id}/`);
    const served = await getBytes(service, json.url);
    expect([served.status, served.headers.get('content-type'), served.bytes]).toEqual([200, 'image/png', image]);
  });

  test('has nothing of a file without its bytes, which the report names', async () => {
    const [id, other] = [plantedId(701), plantedId(702)];
    const hash = 'ab'.repeat(32);
    const records = [
      { id, name: 'lost.svg', hash, ...hostile },
      { id: other, name: 'none.svg', ...hostile },
    ];
    const { check, result } = await imported('media.ndjson', records);
    for (const report of [check, result]) {
      expect(report.missing_files).toEqual({
        total: 2,
        files: [
          { id, name: 'lost.svg', hash },
          { id: other, name: 'none.svg', hash: null },
        ],
      });
    }
    const unknown = { ...hostile, mime_type: null, size: null, width: null, height: null, url: null, variants: {} };
    expect((await get(id)).json).toMatchObject({ ...unknown, pages: null, duration: null, placeholder: null, hash });
    expect((await getBytes(service, `/media/${id}/lost.svg`)).status).toBe(404);
  });

  test('has a hash that is one', async () => {
    const { check } = await imported('media.ndjson', [{ id: plantedId(703), name: 'a', hash: '../../secret' }]);
    expect(check.failures).toMatchObject([{ place: 'media.ndjson:1', errors: [expect.stringContaining('hash:')] }]);
  });
});

test('the depth of a record in a tree is counted, and not taken', async () => {
  const [top, below] = [plantedId(710), plantedId(711)];
  await imported('places.ndjson', [
    { id: below, parent_id: top, depth: 77 },
    { id: top, depth: 77 },
  ]);
  const depth = async (id: string) =>
    (await service.send(`GET /api/v1/admin/cms/places/${id}`, { as: 'ada' })).json.depth;
  expect([await depth(top), await depth(below)]).toEqual([0, 1]);
});

describe('the draft of a record', () => {
  const by = { author: null, author_kind: null, at: '2026-01-01T00:00:00.000Z' };
  const place = (id: string, __draft: object) => ({ id, status: 'published', text: '<p>a</p>', __draft });

  test('is sanitised as its record is, and keeps no field that there is not', async () => {
    const id = plantedId(720);
    const harm = '<p onclick="x()">b</p><script>x()</script>';
    const changes = { text: harm, gone: 1, depth: 9 };
    await imported('places.ndjson', [place(id, { ...by, changes, base: { text: `<p>a</p>${harm}`, gone: 2 } })]);
    const { json } = await service.send(`GET /api/v1/admin/cms/places/${id}`, { as: 'ada' });
    expect(json.__draft).toEqual({ ...by, changes: { text: '<p>b</p>' }, base: { text: '<p>a</p><p>b</p>' } });
  });

  test('is an error of the record where it does not fit the type', async () => {
    const { check } = await imported('places.ndjson', [
      place(plantedId(721), { ...by, changes: { text: 5 }, base: { text: null } }),
    ]);
    expect(check.failures).toMatchObject([{ errors: [expect.stringContaining('__draft.changes.text:')] }]);
  });
});

describe('an export with its files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-with-media-'));
  const text = new TextEncoder().encode('ten bytes.');
  let archive: Uint8Array;
  let names: string[];
  let records: Reply['json'][];
  afterAll(() => rmSync(folder, { recursive: true }));

  const openEmpty = async () => {
    const location = testStorage();
    const empty = await TestService.open(definitions, { builtIn: true, storage: location });
    await empty.account('ada', 'admin');
    return { empty, storage: openStorage(location) };
  };
  const download = async (from: TestService, id: string): Promise<Uint8Array> => {
    const headers = { Authorization: `Bearer ${from.tokenOf('ada')}` };
    const address = `http://localhost/api/v1/admin/exports/${id}/file`;
    return new Uint8Array(await (await from.app.fetch(new Request(address, { headers }))).arrayBuffer());
  };
  async function exported(from: TestService, body: object) {
    const begun = await from.send('POST /api/v1/admin/exports', { as: 'ada', body });
    expect(begun.status).toBe(202);
    await from.runJobs();
    return (await from.send(`GET /api/v1/admin/exports/${begun.json.id}`, { as: 'ada' })).json;
  }
  async function taken(into: TestService, bytes: Uint8Array, more = '&with_media=true') {
    const { json, text: body } = await into.send(`POST ${imports}?format=records&name=export.tar${more}`, {
      ...{ as: 'ada', body: bytes, headers: { 'Content-Type': 'application/octet-stream' } },
    });
    if (json.id === undefined) throw new Error(body);
    await into.runJobs();
    const { check, error } = (await into.send(`GET ${imports}/${json.id}`, { as: 'ada' })).json;
    if (error !== null) throw new Error(error);
    await into.send(`POST ${imports}/${json.id}/run`, { as: 'ada' });
    await into.runJobs();
    return { check, ...(await into.send(`GET ${imports}/${json.id}`, { as: 'ada' })).json };
  }
  const countOf = (report: Reply['json'], kind: string) =>
    report.counts.find((count: { kind: string }) => count.kind === kind);

  beforeAll(async () => {
    const { empty: from } = await openEmpty();
    await uploadRaw(from, await quarters(20, 10), { as: 'ada', name: 'image.png' });
    await uploadRaw(from, text, { as: 'ada', name: 'ten.txt' });
    await uploadRaw(from, text, { as: 'ada', name: 'same.txt' });
    records = (await from.send('GET /api/v1/admin/media?sort=name:asc', { as: 'ada' })).json.items;
    const made = await exported(from, { with_media: true });
    expect(made).toMatchObject({ with_media: true, state: 'done', name: 'export.tar' });
    expect(made.media).toMatchObject({ files: 2, missing: [], damaged: [] });
    archive = await download(from, made.id);
    names = [];
    for await (const { name, bytes } of tarEntries(new Blob([new Uint8Array(archive)]).stream())) {
      names.push(name);
      await bytes.cancel();
    }
    const only = await exported(from, { type: 'media', with_media: true });
    expect([only.name, only.files.length, only.media.files]).toEqual(['media.tar', 1, 2]);
    expect((await exported(from, {})).media).toBeNull();
    const refused = await from.send('POST /api/v1/admin/exports', {
      as: 'ada',
      body: { type: 'places', with_media: true },
    });
    expect([refused.status, refused.json.errors[0].field]).toEqual([422, 'with_media']);
    await from[Symbol.asyncDispose]();
  });

  test('has each file once, under its hash, and gives the same library elsewhere', async () => {
    const hashes = [...new Set(records.map(({ hash }) => hash))].toSorted();
    expect(names.filter((name) => name.startsWith('media/'))).toEqual(hashes.map((hash) => `media/${hash}`));
    const { empty: into, storage } = await openEmpty();
    await using _ = into;
    const { check, result } = await taken(into, archive);
    for (const report of [check, result]) {
      expect(countOf(report, 'media')).toMatchObject({ taken: 3, failed: 0 });
      expect(countOf(report, 'files')).toMatchObject({ taken: 2, before: 0, skipped: 0, failed: 0 });
      expect(report.missing_files).toBeUndefined();
    }
    const { items } = (await into.send('GET /api/v1/admin/media?sort=name:asc', { as: 'ada' })).json;
    expect(items).toEqual(records);
    for (const { url, size } of items) expect((await getBytes(into, url)).bytes.length).toBe(size);
    const place = { database: into.database, storage };
    expect(await verifyMedia(place)).toMatchObject({ files: 2, faults: [], unfinished: null });
    // Another import takes nothing and leaves nothing.
    const again = await taken(into, archive);
    expect(countOf(again.result, 'files')).toMatchObject({ taken: 0, before: 2 });
    expect(await sweepMedia(place, Date.now() + 1000)).toMatchObject({ unused: 0, strays: 0 });
  });

  test('can be imported without them, which names what is missing', async () => {
    const { empty: into, storage } = await openEmpty();
    await using _ = into;
    const { result } = await taken(into, archive, '');
    expect(result.missing_files).toMatchObject({ total: 3 });
    expect(result.missing_files.files.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'image.png',
      'same.txt',
      'ten.txt',
    ]);
    expect(await into.storedKeys('files/')).toEqual([]);
    expect((await verifyMedia({ database: into.database, storage })).faults).toHaveLength(3);
  });

  test('leaves out files whose bytes do not have their hash, or that no record has', async () => {
    const path = join(folder, 'changed.tar');
    const image = records.find(({ name }) => name === 'image.png') ?? {};
    const whole = (bytes: Uint8Array) =>
      (async function* () {
        yield bytes;
      })();
    const stray = new TextEncoder().encode('of no record');
    const hash = new Bun.CryptoHasher('sha256').update(stray).digest('hex');
    await writeTarFile(path, async (add) => {
      const lineBytes = new TextEncoder().encode(lines([{ id: image.id, name: image.name, hash: image.hash }]));
      await add({ name: `media/${image.hash}`, size: text.length }, whole(text));
      await add({ name: `media/${hash}`, size: stray.length }, whole(stray));
      await add({ name: 'media/notes.txt', size: stray.length }, whole(stray));
      await add({ name: 'media.ndjson', size: lineBytes.length }, whole(lineBytes));
    });
    const { empty: into } = await openEmpty();
    await using _ = into;
    const { result } = await taken(into, await Bun.file(path).bytes());
    expect(countOf(result, 'media')).toMatchObject({ taken: 1 });
    expect(countOf(result, 'files')).toMatchObject({ taken: 0, skipped: 1, failed: 2 });
    expect(result.failures.map(({ place }: { place: string }) => place).toSorted()).toEqual(
      [`media/${image.hash}`, 'media/notes.txt'].toSorted(),
    );
    expect(result.missing_files).toMatchObject({ total: 1, files: [{ id: image.id }] });
    expect(await into.storedKeys('files/')).toEqual([]);
  });

  test('that is cut in a file fails with its reason, and leaves nothing in the storage', async () => {
    const { empty: into } = await openEmpty();
    await using _ = into;
    const cut = archive.slice(0, archive.length - 1_600);
    await expect(taken(into, cut)).rejects.toThrow('export.tar is a damaged archive');
    expect(await into.storedKeys('files/')).toEqual([]);
  });
});
