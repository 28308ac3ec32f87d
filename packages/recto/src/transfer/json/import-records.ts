import { newId } from '../../base/ids.ts';
import { eventWriter } from '../../events/event-writer.ts';
import { RecordRestorer } from '../../records/restore-record.ts';
import { Breaks } from '../breaks.ts';
import { FileImport } from '../media/import-files.ts';
import { type TransferReport, TransferTally } from '../transfer-report.ts';
import { checkRecords } from './check-records.ts';
import { ImportFaults } from './import-faults.ts';
import { findFiles } from './imported-media.ts';
import { isMedia, mediaBody } from './media-facts.ts';
import type { ReadImport, RecordsImport } from './read-import.ts';
import { contentHash, entryOf, RecordEntries } from './record-entries.ts';
import type { RecordFile } from './record-files.ts';
import { placeOf, RecordStaging, type StagedRecord } from './record-staging.ts';
import type { RecordText } from './record-text.ts';
import { recordTexts } from './record-texts.ts';
import { RecordUpdates, type StoredJson } from './record-updates.ts';
import { storeAllRecords } from './store-all-records.ts';
import { storeSoundRecords } from './store-sound-records.ts';
import { updateSoundRecords } from './store-updates.ts';

/**
 * Stores records under their own ids, such as those of an export, and others under new ids. A record whose id exists already stays as it
 * is, and one without an id that an earlier import has stored. Throws a `TransferRefused` for what is no such file, and for errors that are to be refused, with files and lines.
 */
export async function importRecords(options: RecordsImport): Promise<TransferReport> {
  const { database, types, log = eventWriter, dryRun } = options;
  using staging = new RecordStaging(options.workFolder);
  const restorer = new RecordRestorer(database, types, log);
  const entries = new RecordEntries(database.dialect, options.source);
  const { media, match } = options;
  const fileImport =
    media?.taken === undefined
      ? undefined
      : new FileImport({ database, dryRun, staging, ...media, limits: media.taken });
  const run: ReadImport = {
    ...{ ...options, restorer, staging, entries, tally: new TransferTally(), breaks: new Breaks() },
    ...(fileImport === undefined ? {} : { fileImport }),
    ...(match === undefined ? {} : { updates: new RecordUpdates(database, types, log, match) }),
  };
  try {
    await readAndStore(run);
  } catch (error) {
    // What is left is removed by a sweep.
    await fileImport?.finish().catch(() => undefined);
    throw error;
  }
  await fileImport?.finish();
  fileImport?.report(run.tally);
  const missing = staging.missingFiles();
  return { ...run.tally.report(dryRun), ...(missing.total === 0 ? {} : { missing_files: missing }) };
}

async function readAndStore(run: ReadImport): Promise<void> {
  const { staging, errors, dryRun } = run;
  const faults = new ImportFaults();
  await readRecords(run, faults);
  await findFiles(run);
  if (errors === 'leave_out') {
    await staging.settle(() => run.breaks.next());
    if (!dryRun) await run.begin?.((work) => run.database.transaction(work));
    await (dryRun ? checkRecords(run) : storeSoundRecords(run));
    await updateSoundRecords(run);
  } else {
    faults.refuse();
    await storeAllRecords(run);
  }
}

/** Reads and checks every record of every file. */
async function readRecords(run: ReadImport, faults: ImportFaults): Promise<void> {
  const { files, tally, progress, breaks, fileImport } = run;
  let done = 0;
  for await (const file of files.each(fileImport)) {
    tally.expect(file.type.plural);
    const read = (bytes: number): void => {
      done += bytes;
      progress('Reading', done, files.size);
    };
    const records = file.records?.(read) ?? recordTexts(file.bytes(), file.name, read);
    for await (const record of records) {
      const { line } = record;
      const errors = record.errors ?? (await readRecord(run, file, record));
      if (errors.length > 0) {
        const place = placeOf({ file: file.name, line });
        for (const error of errors) faults.add(place, error);
        if (run.errors === 'leave_out') tally.failed(file.type.plural, place, errors);
      }
      await breaks.next();
    }
  }
}

/** Stages a record; returns what is wrong with it. */
async function readRecord(
  run: ReadImport,
  { type, name: file }: RecordFile,
  { line, text: content, entry }: RecordText,
): Promise<readonly string[]> {
  const { restorer, staging, errors, updates } = run;
  const given = objectOf(content);
  if (typeof given === 'string') return [given];
  const stored = await updates?.find(type, given);
  if (stored !== undefined) return stageStored(run, { type: type.singular, file, line }, given, stored);
  const isNew = given.id === undefined || given.id === null;
  const identified = isNew ? { ...given, id: newId() } : given;
  const body = isMedia(type) ? mediaBody(identified) : identified;
  const record = restorer.check(type, body);
  if (record.faults.length > 0) return record.faults.map(({ field, message }) => `${field}: ${message}`);
  const { singular } = type;
  const hash = isNew ? contentHash(given) : undefined;
  const number = staging.add({
    ...{ type: singular, id: record.id, file, line },
    content: body === given ? content : JSON.stringify(body),
    entry: entry ?? (hash === undefined ? null : entryOf(hash, staging.seen(singular, hash))),
  });
  if (number === undefined) return [`id: ${staging.placeOf(singular, record.id)} has this id already.`];
  if (errors === 'leave_out') for (const link of await restorer.references(record)) staging.link(number, link);
  return [];
}

/** Stages what a file has for a stored record: its changes, or nothing but that it is there. */
function stageStored(
  { staging, updates, types }: ReadImport,
  place: Pick<StagedRecord, 'type' | 'file' | 'line'>,
  given: Readonly<Record<string, unknown>>,
  stored: StoredJson,
): readonly string[] {
  const id = String(stored.id);
  const changes = updates?.match.existing === 'update' ? updates.changes(types.get(place.type), given, stored) : {};
  const isChanged = Object.keys(changes).length > 0;
  const content = JSON.stringify(isChanged ? changes : { ...given, id });
  const number = staging.add({ ...place, id, content, entry: null, isUpdate: isChanged });
  return number === undefined ? [`id: ${staging.placeOf(place.type, id)} is about this record already.`] : [];
}

/** The object that a text is, or the error. */
function objectOf(text: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'this is no JSON object.';
    return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    return `this is no JSON (${error instanceof Error ? error.message : String(error)}).`;
  }
}
