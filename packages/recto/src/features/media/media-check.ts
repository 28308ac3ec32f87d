import { countOf } from '../../base/count-of.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { FileStore } from '../../media/file-store.ts';
import { recordsWithoutFile } from '../../media/media-maintenance.ts';
import { type FileRow, filesTable } from '../../media/media-tables.ts';
import { newFileKey } from '../../media/storage-keys.ts';
import { openStorage, storageLocation } from '../../storage/open-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Finding, fail, messageOf, ok, warn } from '../finding.ts';
import type { Installation } from '../installation.ts';

const check = 'media';

/** Enough to see that a storage is another, or empty; "recto media verify" looks at all. */
const mostLookedAt = 20;

const verify = 'Run "recto media verify", which lists all that is missing or damaged.';

/** The files: whether their storage can be reached, and has them. */
export async function mediaFinding({ settings, environment, read }: Installation): Promise<Finding> {
  let storage: Storage;
  try {
    storage = openStorage(storageLocation(settings), environment);
  } catch (error) {
    return fail(check, messageOf(error), 'See docs/media.md on storage.');
  }
  const stored = await read(filesTable.name, storedOf).catch(messageOf);
  if (typeof stored === 'string') return warn(check, stored, 'See the finding on the database.');
  const { files = [], lost = [] } = stored ?? {};
  const missing = await missingOf(storage, files).catch(messageOf);
  const { description } = storage;
  if (typeof missing === 'string')
    return warn(
      check,
      `${description} cannot be reached: ${missing}`,
      'Check RECTO_STORAGE_URL, its keys and the network.',
    );
  if (missing > 0)
    return warn(check, `${missing} of the first ${countOf(files.length, 'file')} not found in ${description}`, verify);
  if (lost.length > 0)
    return warn(
      check,
      `${countOf(lost.length, 'record')} of media without a known file: ${lost.slice(0, 3).join(', ')}`,
      verify,
    );
  return ok(check, files.length === 0 ? `no files yet; ${description} can be reached` : `files are in ${description}`);
}

interface StoredMedia {
  readonly files: readonly FileRow[];
  /** The ids of records whose file is not known. */
  readonly lost: readonly string[];
}

async function storedOf(executor: Executor, dialect: Dialect): Promise<StoredMedia> {
  const files = await new FileStore(dialect).page(executor, '', mostLookedAt);
  return { files, lost: await recordsWithoutFile(executor, dialect) };
}

async function missingOf(storage: Storage, files: readonly FileRow[]): Promise<number> {
  // Where there are no files, a key that there is none of shows whether the storage answers.
  if (files.length === 0) await storage.stat(newFileKey());
  const found = await Promise.all(files.map(({ storage_key }) => storage.stat(storage_key)));
  return found.filter((file) => file === undefined).length;
}
