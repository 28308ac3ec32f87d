// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../../packages/recto/src/base/ids.ts';
import { exportRecords } from '../../../packages/recto/src/transfer/json/export-records.ts';
import { importRecords } from '../../../packages/recto/src/transfer/json/import-records.ts';
import { recordFilesAt } from '../../../packages/recto/src/transfer/json/record-files.ts';
import { TestService } from '../../support/service.ts';
import { quarters, uploadRaw } from '../media/media-calls.ts';

// A relation to one record and a file can differ by language, and all that follows references sees those of every language.

const open = { access: 'public' };
const to = (target: string) => ({ relation_type: 'many_to_one', target });

const guide = {
  singular: 'guide',
  plural: 'guides',
  fields: [{ name: 'name', field_type: 'text', localized: true }],
  api: { list: open, get: open },
};
const tour = {
  singular: 'tour',
  plural: 'tours',
  protocols: ['versionable'],
  fields: [
    { name: 'title', field_type: 'text', localized: true },
    { name: 'guide', field_type: 'relation', relation: to('guide'), localized: true },
    { name: 'cover', field_type: 'media', localized: true },
    { name: 'poster', field_type: 'media', external: true, localized: true },
  ],
  api: { list: open, get: open },
};
/** Of which every language needs one. */
const visit = {
  singular: 'visit',
  plural: 'visits',
  fields: [
    { name: 'place', field_type: 'relation', relation: to('guide'), localized: true, required: true },
    { name: 'note', field_type: 'text', localized: true },
  ],
};

const openTours = async (): Promise<TestService> => {
  const opened = await TestService.open([guide, tour, visit], { languages: 'en,de,fr', builtIn: true });
  await opened.account('ann', 'admin');
  return opened;
};

let service: TestService;
beforeAll(async () => {
  service = await openTours();
});
afterAll(() => service[Symbol.asyncDispose]());

const admin = async (line: string, body?: unknown) =>
  service.send(line.replace(' ', ' /api/v1/admin/'), { as: 'ann', ...(body === undefined ? {} : { body }) });

const seedGuide = async (name: string): Promise<string> => (await service.seed('guides', { name })).id;

async function upload(name: string): Promise<string> {
  const { status, json, text } = await uploadRaw(service, await quarters(4 + (name.length % 7), 4), {
    as: 'ann',
    name: `${name}.png`,
    type: 'image/png',
  });
  if (status >= 300) throw new Error(text);
  return json.id;
}

type Body = Readonly<Record<string, unknown>>;

/** A tour in English, and what German says of it. */
async function seedTour(inEnglish: Body, inGerman: Body): Promise<string> {
  const { id } = await service.seed('tours', inEnglish);
  const { status, text } = await admin(`PUT cms/tours/${id}?language=de`, inGerman);
  if (status !== 200) throw new Error(text);
  return id;
}

const tourIn = async (id: string, query: string) => (await service.send(`GET /api/v1/cms/tours/${id}?${query}`)).json;

describe('a localized relation', () => {
  test('is read, included and filtered by as the answer shows it', async () => {
    const [joe, eva] = [await seedGuide('Joe'), await seedGuide('Eva')];
    await admin(`PUT cms/guides/${eva}?language=de`, { name: 'Ewa' });
    const id = await seedTour({ title: 'Castle', guide: joe }, { guide: eva });
    expect(await tourIn(id, '')).toMatchObject({ guide: joe });
    expect(await tourIn(id, 'language=de')).toMatchObject({ guide: eva, title: 'Castle', __fallback: ['title'] });
    expect(await tourIn(id, 'language=fr&include=guide')).toMatchObject({
      guide: { id: joe, name: 'Joe' },
      __fallback: expect.arrayContaining(['guide']),
    });
    expect(await tourIn(id, 'language=de&include=guide')).toMatchObject({ guide: { id: eva, name: 'Ewa' } });
    expect(await tourIn(id, 'language=fr&fallback=false')).toMatchObject({ guide: null });
    const listed = async (query: string) =>
      (await service.send(`GET /api/v1/cms/tours?${query}`)).json.items.map((item: { id: string }) => item.id);
    expect(await listed(`guide=${eva}`)).toEqual([]);
    expect(await listed(`guide=${eva}&language=de`)).toEqual([id]);
    expect(await listed(`language=de&filter=${encodeURIComponent('guide.name = "Ewa"')}`)).toEqual([id]);
    expect(await listed(`language=de&filter=${encodeURIComponent('guide.name = "Joe"')}`)).toEqual([]);
  });

  test('leads to what there is: 422 for another, in a language and in a version that is restored', async () => {
    const [joe, eva] = [await seedGuide('Joe'), await seedGuide('Eva')];
    const id = await seedTour({ title: 'Tower', guide: joe }, { guide: eva });
    const unknown = await admin(`PUT cms/tours/${id}?language=de`, { guide: newId() });
    expect([unknown.status, unknown.json.errors]).toEqual([
      422,
      [expect.objectContaining({ field: 'guide', code: 'unknown_record' })],
    ]);
    const { json: versions } = await admin(`GET cms/tours/${id}/revisions`);
    const [{ revision }] = versions.items;
    expect((await admin(`DELETE cms/guides/${eva}`)).status).toBe(204);
    const gone = await admin(`POST cms/tours/${id}/revisions/${revision}/restore`);
    expect([gone.status, gone.json.errors]).toEqual([
      422,
      [expect.objectContaining({ field: 'guide@de', code: 'unknown_record' })],
    ]);
  });

  test('empties when its record goes, in each language that has it, and the log says where', async () => {
    const [joe, eva] = [await seedGuide('Joe'), await seedGuide('Eva')];
    const id = await seedTour({ title: 'Moat', guide: joe }, { guide: eva });
    const second = await seedTour({ title: 'Gate', guide: eva }, { guide: eva });
    const only = await seedTour({ title: 'Wall' }, { guide: eva, title: null });
    const after = await service.lastEvent('ann');
    expect((await admin(`DELETE cms/guides/${eva}`)).status).toBe(204);
    expect(await tourIn(id, 'language=de')).toMatchObject({ guide: joe, __fallback: ['title', 'guide'] });
    expect(await tourIn(id, 'language=de&fallback=false')).toMatchObject({ guide: null });
    expect(await tourIn(second, '')).toMatchObject({ guide: null });
    expect(await tourIn(only, 'language=de')).toMatchObject({ guide: null, __languages: ['en'] });
    const { json: states } = await admin(`GET cms/tours/${only}/languages`);
    expect(states.items[1]).toMatchObject({ language: 'de', exists: false, changed_at: null });
    const { json: events } = await admin(`GET events?after=${after}`);
    const changed = Object.fromEntries(
      events.items
        .filter((event: { record: string }) => [id, second].includes(event.record))
        .map((event: { record: string; changed: readonly string[] }) => [event.record, event.changed]),
    );
    expect(changed).toEqual({ [id]: ['guide@de'], [second]: ['guide', 'guide@de'] });
  });

  test('that is required blocks the removal of its record in another language too', async () => {
    const [joe, eva] = [await seedGuide('Joe'), await seedGuide('Eva')];
    const { id } = await service.seed('visits', { place: joe });
    await admin(`PUT cms/visits/${id}?language=de`, { place: eva });
    const refused = await admin(`DELETE cms/guides/${eva}`);
    expect([refused.status, refused.json.code]).toEqual([409, 'record_in_use']);
    await admin(`DELETE cms/visits/${id}/languages/de`);
    expect((await admin(`DELETE cms/guides/${eva}`)).status).toBe(204);
  });

  test('goes from one language to another by what is put back as it was read', async () => {
    const [joe, eva] = [await seedGuide('Joe'), await seedGuide('Eva')];
    const cover = await upload('back');
    const id = await seedTour({ title: 'Yard', guide: joe, cover }, { title: 'Hof' });
    const whole = (await admin(`GET cms/tours/${id}?language=de&fallback=true`)).json;
    expect(whole.__fallback).toEqual(['guide', 'cover']);
    expect((await admin(`PUT cms/tours/${id}?language=de`, whole)).status).toBe(200);
    expect(await tourIn(id, 'language=de&fallback=false')).toMatchObject({ title: 'Hof', guide: null, cover: null });
    expect((await admin(`PUT cms/tours/${id}?language=de`, { guide: eva })).json.guide).toBe(eva);
  });
});

describe('a localized file', () => {
  test('is in use though it is used in one language only, and says where', async () => {
    const [english, german] = [await upload('english'), await upload('a german one')];
    const id = await seedTour({ title: 'Hall', cover: english }, { cover: german });
    expect(await tourIn(id, 'language=de')).toMatchObject({ cover: { id: german } });
    expect(await tourIn(id, '')).toMatchObject({ cover: { id: english } });
    const { json: uses } = await admin(`GET media/${german}/uses`);
    expect(uses.items).toEqual([expect.objectContaining({ type: 'tour', id, field: 'cover' })]);
    const unused = async (query: string) =>
      (await admin(`GET media?used=false&page_size=100${query}`)).json.items.map((item: { id: string }) => item.id);
    for (const query of ['', '&language=de']) {
      expect(await unused(query)).not.toContain(german);
      expect(await unused(query)).not.toContain(english);
    }
    const refused = await admin(`DELETE media/${german}`);
    expect([refused.status, refused.json.code]).toEqual([409, 'record_in_use']);
    await admin(`DELETE cms/tours/${id}/languages/de`);
    expect(await unused('')).toContain(german);
    expect((await admin(`DELETE media/${german}`)).status).toBe(204);
  });

  test('may be an address elsewhere in one language, and a file in another', async () => {
    const file = await upload('poster of ours');
    const address = `https://example.com/${'a'.repeat(2000)}`;
    const id = await seedTour({ title: 'Well', poster: address }, { poster: file });
    expect(await tourIn(id, '')).toMatchObject({ poster: address });
    expect(await tourIn(id, 'language=de')).toMatchObject({ poster: { id: file } });
    const { status } = await admin(`PUT cms/tours/${id}?language=fr`, { poster: `${address}/fr` });
    expect(status).toBe(200);
    expect((await admin(`GET media/${file}/uses`)).json.total).toBe(1);
  });
});

test('exports hold the references of every language, and an import refuses those to nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-relations-'));
  try {
    const [joe, eva] = [await seedGuide('Joe'), await seedGuide('Eva')];
    const id = await seedTour({ title: 'Keep', guide: joe }, { guide: eva });
    const exported = async ({ database, types }: TestService, name: string) => {
      const kept = [types.get('guide'), types.get('tour')];
      await exportRecords({ database, types: kept, folder: join(folder, name), progress: () => {} });
      return readFileSync(join(folder, name, 'tours.ndjson'), 'utf8');
    };
    const lines = (await exported(service, 'first')).split('\n').filter((line) => line.includes(id));
    const [line = ''] = lines;
    expect(JSON.parse(line)).toMatchObject({ guide: { en: joe, de: eva } });
    await using other = await openTours();
    const imported = async (text: string, errors: 'refuse' | 'leave_out') => {
      const file = join(folder, 'tours.ndjson');
      writeFileSync(file, text);
      const { database, types } = other;
      return importRecords({
        ...{ database, types, workFolder: folder, dryRun: false, progress: () => {}, errors },
        files: await recordFilesAt(file, undefined, types),
      });
    };
    const refused = await imported(`${line}\n`, 'refuse').catch(String);
    expect(refused).toContain('guide.de: There is no such record of guide.');
    await other.seed('guides', { name: 'Another' });
    const files = join(folder, 'first');
    const tours = readFileSync(join(files, 'tours.ndjson'), 'utf8');
    writeFileSync(
      join(files, 'tours.ndjson'),
      `${tours
        .split('\n')
        .filter((each) => each === line)
        .join('\n')}\n`,
    );
    const { database, types } = other;
    await importRecords({
      ...{ database, types, workFolder: folder, dryRun: false, progress: () => {} },
      files: await recordFilesAt(files, undefined, types),
    });
    expect((await exported(other, 'second')).trim()).toBe(line);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
