import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { plantedId } from '../../spec/rules/planted.ts';
import { type Reply, TestService } from '../../support/service.ts';
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
