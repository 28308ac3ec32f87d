import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { FetchFailed } from '../../media/fetched-file.ts';
import { cleanFileName } from '../../media/file-name.ts';
import { fileUrl } from '../../media/media-address.ts';
import type { FileTaker, RecordFile, RecordFiles } from '../json/record-files.ts';
import type { RecordText } from '../json/record-text.ts';
import { foreignBody } from './foreign-body.ts';
import { entryName, idFor, idOfBlock, newIdOf } from './foreign-ids.ts';
import type { BoundType, ForeignRun } from './foreign-run.ts';
import type { StagedFile } from './foreign-staging.ts';
import { type AboutFile, ForeignFile, type ForeignRef, filesIn } from './foreign-value.ts';
import type { ForeignRecord } from './importer.ts';

/** Gives every record of the source an id, and notes the files that they name. */
export async function stageRecords(run: ForeignRun): Promise<void> {
  const { bound, options, breaks } = run;
  const total = bound.reduce((sum, { from }) => sum + from.total, 0);
  let done = 0;
  for (const each of bound) {
    for await (const record of each.from.records()) {
      await stageRecord(run, each, record);
      done += 1;
      options.progress('Looking', done, total);
      await breaks.next();
    }
  }
}

async function stageRecord(run: ForeignRun, { from, type, fields }: BoundType, record: ForeignRecord): Promise<void> {
  const { staging, restorer, options, tally } = run;
  const entry = entryName(from.from, record.id);
  const { createdAt } = record;
  const staged = await idFor(staging, { kind: type.singular, entry, createdAt }, (id) =>
    restorer.exists(options.database, type, id),
  );
  const place = `${from.file}:${record.line}`;
  // A second record of that id is reported when it is read.
  if (!staging.add(from.from, record.id, staged)) return;
  if (staged.state === 'before') return tally.before(type.plural);
  if (staged.state === 'gone') return tally.skipped(type.plural, 'deleted here since an earlier import', place);
  for (const remark of record.remarks ?? []) tally.changed(type.plural, remark, place);
  const values = [...Object.entries(record.values), ...Object.entries(record.draft?.values ?? {})];
  for (const [name, value] of values) {
    if (!fields.has(name)) continue;
    for (const { file, isMention } of filesIn(value)) staging.addFile(file.key, JSON.stringify(file), isMention);
  }
}

/** The new records of a source as the files of an import: those of media first, then those of each type. */
export function foreignRecordFiles(run: ForeignRun): RecordFiles {
  const { bound, options } = run;
  const media = options.types.find('media');
  return {
    size: bound.reduce((sum, { from }) => sum + from.total, 0),
    hasMedia: true,
    *each(taker) {
      if (media !== undefined && taker !== undefined)
        yield recordFile('files', media, () => mediaRecords(run, media, taker));
      for (const one of bound) yield recordFile(one.from.file, one.type, (read) => newRecords(run, one, read));
    },
  };
}

const recordFile = (
  name: string,
  type: ContentType,
  records: (read: (records: number) => void) => AsyncIterable<RecordText>,
): RecordFile => ({
  ...{ name, type, records },
  bytes: () => {
    throw new Error('The records of a source are read as such.');
  },
});

async function* newRecords(
  run: ForeignRun,
  { from, type, fields }: BoundType,
  read: (records: number) => void,
): AsyncGenerator<RecordText, void, undefined> {
  const { staging, languages, tally } = run;
  const now = new Date().toISOString();
  for await (const record of from.records()) {
    const staged = staging.find(from.from, record.id);
    read(1);
    if (staged?.state !== 'new') continue;
    const { line, errors } = record;
    const place = `${from.file}:${line}`;
    const resolution = resolutionOf(run, type, place);
    const remark = (text: string): void => tally.changed(type.plural, text, place);
    const parts = { type, fields, languages, resolution, now, remark };
    const body = { id: staged.id, ...besides(run, type, record), ...foreignBody(parts, record) };
    yield {
      ...{ text: JSON.stringify(body), line, entry: entryName(from.from, record.id) },
      ...(errors === undefined || errors.length === 0 ? {} : { errors }),
    };
  }
}

/** What a record has besides its values: the id that the source knows it by, where the type has a place for it, and its time. */
function besides({ options }: ForeignRun, { field }: ContentType, { id, createdAt, meta }: ForeignRecord) {
  const hasTimes = createdAt !== undefined && field.has('created_at') && field.has('updated_at');
  return {
    ...(field.has('__meta') ? { __meta: { [`_${options.importer.format}`]: { id, ...meta } } } : {}),
    ...(hasTimes ? { created_at: createdAt, updated_at: createdAt } : {}),
  };
}

function resolutionOf({ staging, tally, options }: ForeignRun, { plural }: ContentType, place: string) {
  return {
    ref: ({ type, id }: ForeignRef): string | undefined => {
      const found = staging.find(type, id);
      if (found !== undefined && found.state !== 'gone') return found.id;
      tally.changed(plural, `references to ${type} that are not brought in: left out`, place);
      return undefined;
    },
    file: ({ key }: ForeignFile) => staging.file(key),
    block: (key: string) => idOfBlock(`${options.importer.format}:${options.map.source}/${key}`),
  };
}

/** Takes the files, each as it is read, and makes their records. */
async function* mediaRecords(
  run: ForeignRun,
  media: ContentType,
  taker: FileTaker,
): AsyncGenerator<RecordText, void, undefined> {
  const { staging, tally } = run;
  for (const staged of staging.files()) {
    // True because `stageRecord` writes them.
    const { key, name, about } = JSON.parse(staged.file) as ForeignFile;
    if (await earlierFile(run, media, staged)) continue;
    const bytes = await run.content.open(new ForeignFile(key, name, about));
    const taken = Symbol.asyncIterator in bytes ? await takenFile(taker, bytes) : bytes;
    if ('reason' in taken) {
      staging.setFile(staged.number, 'lost', { id: '', url: '' });
      tally.skipped('files', taken.reason, key);
      continue;
    }
    const { id, body } = mediaBody(name, about, taken.hash);
    const url = fileUrl({ id, name: body.name, hash: taken.hash });
    staging.setFile(staged.number, 'new', { id, url });
    yield { text: JSON.stringify(body), line: staged.number, entry: key };
  }
}

async function takenFile(taker: FileTaker, bytes: AsyncIterable<Uint8Array>) {
  try {
    return await taker.add(bytes);
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return { reason: error.message };
  }
}

function mediaBody(name: string, { createdAt, visibility = 'public', alt, caption }: AboutFile, hash: string) {
  const id = newIdOf(createdAt);
  const times = createdAt === undefined ? {} : { created_at: createdAt, updated_at: createdAt };
  return {
    id,
    body: { id, name: cleanFileName(name), hash, visibility, alt: alt ?? null, caption: caption ?? null, ...times },
  };
}

/** Whether an earlier import has taken the file. */
async function earlierFile(
  { staging, options, tally }: ForeignRun,
  { singular, table }: ContentType,
  { key, number }: StagedFile,
): Promise<boolean> {
  const earlier = staging.earlier(singular, key);
  if (earlier === undefined) return false;
  const { database } = options;
  const query = sql`select url from ${sql.id(table)} where id = ${earlier}`;
  const row = await database.first<{ url: string | null }>(compiledQuery(query, database.dialect));
  staging.setFile(number, row === undefined ? 'gone' : 'before', { id: earlier, url: row?.url ?? '' });
  if (row === undefined) tally.skipped('files', 'deleted here since an earlier import', key);
  else tally.before('files');
  return true;
}
