import type { ContentType } from '../../definition/content-type.ts';
import { storedFacts, storedFile } from '../../media/stored-facts.ts';
import { type ImportStorage, isMedia } from './media-facts.ts';
import type { ReadImport } from './read-import.ts';
import type { StagedRecord } from './record-staging.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Looks for the files of the records that the import will add, by their hashes, and reads from the bytes what records say of them:
 * nothing of that is taken from the import. Records whose files are not found are noted.
 */
export async function findFiles(run: ReadImport): Promise<void> {
  const { types, media, staging, breaks, progress } = run;
  const type = types.find('media');
  if (type === undefined || !isMedia(type) || media === undefined) return;
  for (const staged of staging.recordsOf(type.singular)) {
    await findFile(run, media, type, staged);
    progress('Looking for files', staged.number, staging.total);
    await breaks.next();
  }
}

async function findFile(run: ReadImport, media: ImportStorage, type: ContentType, staged: StagedRecord): Promise<void> {
  const { database, restorer, staging, dryRun } = run;
  // True because the import stages objects alone.
  const body = JSON.parse(staged.content) as Body;
  const { id, name, hash } = body;
  if (await restorer.exists(database, type, String(id))) return;
  if (typeof hash === 'string') {
    if (staging.facts(hash) !== undefined) return;
    const row = await media.store.find(database, hash);
    const file = row && (await storedFile(media.storage, row));
    if (file !== undefined) return staging.addFacts(hash, dryRun ? {} : await storedFacts(media.storage, file));
  }
  staging.addMissing(staged, {
    id: String(id),
    name: typeof name === 'string' ? name : '',
    hash: typeof hash === 'string' ? hash : null,
  });
}
