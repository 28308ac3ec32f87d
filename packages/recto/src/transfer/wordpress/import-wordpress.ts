import { AccountStore } from '../../auth/account-store.ts';
import { AdoptedAccounts } from '../../auth/adopted-accounts.ts';
import type { PasswordHasher } from '../../auth/password-hasher.ts';
import { type Caller, system } from '../../base/caller.ts';
import { deepestReply } from '../../builtin/comment-type.ts';
import type { Database } from '../../database/database.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { eventWriterFor } from '../../events/event-writer.ts';
import { RecordRestorer } from '../../records/restore-record.ts';
import { Breaks } from '../breaks.ts';
import { ImportLedger } from '../import-ledger.ts';
import type { Checkpoint, Progress } from '../progress.ts';
import type { TransferFile } from '../transfer-file.ts';
import { type TransferReport, TransferTally } from '../transfer-report.ts';
import { type FileSource, importAttachments } from './import-attachments.ts';
import { importAuthors } from './import-authors.ts';
import { importCategories } from './import-categories.ts';
import { importComments } from './import-comments.ts';
import type { ImportContext, OtherLanguages } from './import-context.ts';
import { importPublications } from './import-publications.ts';
import type { LocalizedKinds } from './staged-languages.ts';
import { WordpressEntries } from './wordpress-entries.ts';
import { WordpressStaging } from './wordpress-staging.ts';
import { readWxrFile } from './wxr-file.ts';

export interface WordpressImport {
  readonly file: TransferFile;
  /** Migrated to the content types. */
  readonly database: Database;
  readonly types: ContentTypes;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  /** A folder with space for a working copy of the file during the import. */
  readonly workFolder: string;
  readonly dryRun: boolean;
  readonly progress: Progress;
  readonly checkpoint?: Checkpoint;
  /** Who brings the site in: the changes are logged in their name. Default: the service, or its operator. */
  readonly by?: Caller;
  /** The files of the site; absent: they stay where they are. */
  readonly uploads?: FileSource;
  /** What becomes of entries in languages that the service does not have. Default: records of their own. */
  readonly otherLanguages?: OtherLanguages;
}

/**
 * Imports the pages, posts, comments and authors of a WordPress export. The file is read completely before anything is stored,
 * so that a damaged or foreign one (`TransferRefused`) changes nothing. Imported entries are recorded: another run imports new
 * entries, or the rest of an interrupted run.
 */
export async function importWordpress(options: WordpressImport): Promise<TransferReport & { readonly source: string }> {
  const { database, types: all, workFolder, dryRun, progress } = options;
  const types = {
    ...{ page: all.get('page'), post: all.get('post') },
    ...{ category: all.get('category'), comment: all.get('comment') },
  };
  const tally = new TransferTally(['accounts', 'categories', 'pages', 'posts', 'comments']);
  using staging = new WordpressStaging(workFolder);
  const { uploads } = options;
  const entries = new WordpressEntries(types, staging, tally, new Date().toISOString(), uploads !== undefined);
  const { dropped } = await readWxrFile(options.file, entries, progress);
  if (dropped > 0) tally.changed('file', 'characters that XML does not have: left out', '', dropped);
  const localized = localizedKinds(all);
  staging.settle(deepestReply, all.languages, localized);
  const context: ImportContext = {
    ...{ database, types, staging, tally, dryRun, localized, breaks: new Breaks() },
    otherLanguages: options.otherLanguages ?? 'records',
    checkpoint: options.checkpoint ?? (() => Promise.resolve()),
    restorer: new RecordRestorer(database, all, eventWriterFor(options.by ?? system)),
    accounts: await adoptedAccounts(options),
    ledger: new ImportLedger(database.dialect, `wordpress:${entries.source}`),
  };
  await importAuthors(context);
  await importCategories(context);
  const files = uploads && (await importAttachments(context, uploads, hostOf(entries.source)));
  await importEntries(files === undefined ? context : { ...context, files }, progress);
  const others = staging.languages.others();
  return {
    ...{ source: entries.source, ...tally.report(dryRun) },
    ...(others.length === 0 ? {} : { other_languages: others }),
  };
}

/** Translations can be one record where the text that they consist of is localized. */
function localizedKinds(types: ContentTypes): LocalizedKinds {
  const has = (singular: string, ...names: string[]): boolean => {
    const localized = types.find(singular)?.facts.localized ?? [];
    return names.every((name) => localized.some((field) => field.name === name));
  };
  return {
    page: has('page', 'title', 'content'),
    post: has('post', 'title', 'content'),
    category: has('category', 'name'),
    attachment: has('media', 'alt') || has('media', 'caption'),
  };
}

const hostOf = (site: string): string => (URL.canParse(site) ? new URL(site).host.toLowerCase() : '');

const adoptedAccounts = ({ database, passwords, by = system }: WordpressImport): Promise<AdoptedAccounts> =>
  AdoptedAccounts.open({ accounts: new AccountStore(database.dialect), passwords, now: Date.now, by });

async function importEntries(context: ImportContext, progress: Progress): Promise<void> {
  const { total } = context.staging;
  let done = 0;
  const step = (count: number): void => {
    done += count;
    progress('Importing', done, total);
  };
  await importPublications(context, step);
  await importComments(context, step);
}

/** Why there is no content after an import; undefined where there is. A script should not mistake that for success. */
export function whyNothing({ counts }: TransferReport): string | undefined {
  const entries = counts.filter(({ kind }) => kind !== 'accounts' && kind !== 'categories');
  if (entries.some(({ taken, before }) => taken + before > 0)) return undefined;
  const skipped = entries.reduce((sum, count) => sum + count.skipped, 0);
  const nothing = 'No page, post or comment was imported';
  if (skipped === 0) return `${nothing}: the file has none.`;
  if (skipped === 1) return `${nothing}: the 1 entry of the file was skipped, for the reason in the table.`;
  return `${nothing}: all ${skipped} entries of the file were skipped, for the reasons in the table.`;
}
