import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { sql } from 'kysely';
import { idOf } from '../../base/ids.ts';
import { Problem } from '../../base/problem.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { FetchFailed, type FileFetcher, fetchedFile } from '../../media/fetched-file.ts';
import { cleanFileName } from '../../media/file-name.ts';
import type { FileStore } from '../../media/file-store.ts';
import { type IngestedFile, type IngestLimits, ingestFile } from '../../media/ingest-file.ts';
import { storedFacts } from '../../media/stored-facts.ts';
import { type Storage, storedChunks } from '../../storage/storage.ts';
import { faultText, type ImportContext } from './import-context.ts';
import { entryName } from './import-publications.ts';
import { aloneRemark, joinedRemark, leftOutFor, standsInRemark } from './language-remarks.ts';
import { type Body, localizedBody, mergeTranslations } from './merge-translations.ts';
import { type ImportedFile, UploadedFiles, uploadPath } from './uploaded-files.ts';
import type { StagedAttachment } from './wordpress-staging.ts';

/** Where the files of a site come from, and where they go. */
export interface FileSource {
  /** Its `wp-content/uploads`. */
  readonly folder?: string;
  /** What is not in the folder is fetched from the site; absent: it is not. */
  readonly fetcher?: FileFetcher;
  readonly storage: Storage;
  readonly store: FileStore;
  readonly limits: IngestLimits;
  readonly type: ContentType;
}

const kind = 'attachment';
const counted = 'files';

/** Brings the attachments in whose files are found; returns where each is now. */
export async function importAttachments(
  context: ImportContext,
  uploads: FileSource,
  host: string,
): Promise<UploadedFiles> {
  const files = new UploadedFiles(host);
  for (const [attachment, ...translations] of context.staging.attachments()) {
    const leftOut = leftOutFor(attachment, context.otherLanguages);
    if (leftOut !== undefined) {
      context.tally.skipped(counted, leftOut, entryName(attachment.id, attachment.about.title));
      continue;
    }
    const file =
      (await before(context, uploads, attachment)) ?? (await bringIn(context, uploads, attachment, translations));
    if (file !== undefined) {
      // Each shows its own alternative text in the galleries of its language.
      for (const { id, url, about } of [...translations, attachment])
        files.add(id, url, { ...file, alt: about.alt === '' ? file.alt : about.alt });
      await countTranslations(context, uploads, file.id, translations);
    }
    await context.checkpoint(context.tally.counts);
  }
  return files;
}

/** Counts the translations of a file, and adds those that its record does not have yet. */
async function countTranslations(
  { database, ledger, restorer, tally }: ImportContext,
  { type }: FileSource,
  record: string,
  translations: readonly StagedAttachment[],
): Promise<void> {
  for (const { id, tag, about } of translations) {
    const name = entryName(id, about.title);
    if (tag === null) continue;
    const earlier = await ledger.find(database, kind, id);
    if (earlier !== undefined) {
      tally.before(counted);
      continue;
    }
    const body = localizedBody(type, textsOf(about));
    const outcome = await database.transaction(async (transaction) => {
      const done = await restorer.translate(transaction, transaction, { type, id: record, tag, body });
      if (typeof done !== 'string' && done.length === 0) await ledger.note(transaction, kind, id, record);
      return done;
    });
    if (typeof outcome === 'string') tally.skipped(counted, 'translations of what has changed since its import', name);
    else if (outcome.length > 0) tally.skipped(counted, faultText(outcome), name);
    else {
      tally.taken(counted);
      tally.changed(counted, joinedRemark(tag), name);
    }
  }
}

const textsOf = ({ alt, caption }: StagedAttachment['about']): Body => ({ alt: alt || null, caption: caption || null });

/** The record of an earlier run, unless it has been removed since. */
async function before(
  { database, ledger, tally }: ImportContext,
  { type }: FileSource,
  { id, about }: StagedAttachment,
): Promise<ImportedFile | undefined> {
  const record = await ledger.find(database, kind, id);
  if (record === undefined) return undefined;
  const query = sql`select id, url from ${sql.id(type.table)} where id = ${record}`;
  const row = await database.first<{ id: string; url: string }>(compiledQuery(query, database.dialect));
  if (row !== undefined) tally.before(counted);
  return row === undefined ? undefined : { ...row, alt: about.alt };
}

async function bringIn(
  context: ImportContext,
  uploads: FileSource,
  attachment: StagedAttachment,
  translations: readonly StagedAttachment[],
): Promise<ImportedFile | undefined> {
  const { tally, dryRun } = context;
  const name = entryName(attachment.id, attachment.about.title);
  const { folder, fetcher } = uploads;
  const path = folder === undefined ? undefined : await localFile(folder, attachment.url);
  const bytes = path === undefined ? fetcher && fetchedFile(attachment.url, fetcher) : storedChunks(Bun.file(path));
  if (bytes === undefined) {
    for (const each of [attachment, ...translations])
      tally.skipped(counted, 'not in the folder of uploads', entryName(each.id, each.about.title));
    return undefined;
  }
  if (dryRun) {
    for (const each of [attachment, ...translations]) {
      tally.taken(counted);
      if (each !== attachment)
        tally.changed(counted, joinedRemark(String(each.tag)), entryName(each.id, each.about.title));
    }
    return undefined;
  }
  try {
    const file = await ingestFile(uploads.storage, bytes, uploads.limits);
    return await stored(context, uploads, attachment, file, name);
  } catch (error) {
    const isOfFile = error instanceof FetchFailed || (error instanceof Problem && error.status < 500);
    if (!isOfFile) throw error;
    for (const each of [attachment, ...translations])
      tally.skipped(counted, error.message, entryName(each.id, each.about.title));
    return undefined;
  }
}

async function stored(
  { database, restorer, ledger, tally, localized }: ImportContext,
  { storage, store, type }: FileSource,
  { id, url, about, tag, alone, language }: StagedAttachment,
  file: IngestedFile,
  name: string,
): Promise<ImportedFile | undefined> {
  const texts = textsOf(about);
  const { languages } = type;
  const isOther = languages !== undefined && localized.attachment && tag !== null && tag !== languages.default.tag;
  const said = isOther ? mergeTranslations(type, { tag, body: texts }, [], languages.default.tag).body : texts;
  const record = restorer.check(
    type,
    {
      ...{ id: idOf(Date.parse(about.created)), name: cleanFileName(decoded(url)), hash: file.hash },
      ...{ ...said, folder: null, visibility: 'public', tags: [] },
      ...{ focal_x: null, focal_y: null, crop: null, created_at: about.created, updated_at: about.created },
    },
    await storedFacts(storage, file),
  );
  let kept = file.key;
  const faults =
    record.faults.length > 0
      ? record.faults
      : await database.transaction(async (transaction) => {
          kept = await store.claim(transaction, file, Date.now());
          const found = await restorer.insert(transaction, record);
          if (found.length === 0) await ledger.note(transaction, kind, id, record.id);
          return found;
        });
  if (faults.length > 0 || kept !== file.key) await storage.delete(file.key);
  if (faults.length > 0) {
    tally.skipped(counted, faultText(faults), name);
    return undefined;
  }
  tally.taken(counted);
  const remark = aloneRemark({ alone, language });
  if (remark !== undefined) tally.changed(counted, remark, name);
  if (isOther) tally.changed(counted, standsInRemark(tag, languages.default.tag), name);
  const address = record.changes.values.get(fieldOf(type, 'url'));
  return { id: record.id, url: String(address), alt: about.alt };
}

function fieldOf(type: ContentType, name: string) {
  const field = type.field.get(name);
  if (field === undefined) throw new Error(`${type.singular} has no field ${name}.`);
  return field;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return url;
  }
}

/** The file of an attachment below the folder; undefined where there is none, or it would be elsewhere. */
async function localFile(folder: string, url: string): Promise<string | undefined> {
  const relative = uploadPath(decoded(url));
  if (relative === undefined) return undefined;
  const segments = relative.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..' || segment.includes('\0')))
    return undefined;
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, ...segments))]);
    return path.startsWith(root + sep) && (await Bun.file(path).exists()) ? path : undefined;
  } catch {
    return undefined;
  }
}
