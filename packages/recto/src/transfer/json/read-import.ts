import type { Database, Transaction } from '../../database/database.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { RecordRestorer, RestoredRecord } from '../../records/restore-record.ts';
import type { ChangeLog } from '../../records/write/change-log.ts';
import type { Breaks } from '../breaks.ts';
import type { FileImport } from '../media/import-files.ts';
import type { Checkpoint, Progress } from '../progress.ts';
import type { TransferTally } from '../transfer-report.ts';
import { factsOf, type ImportStorage } from './media-facts.ts';
import type { RecordEntries } from './record-entries.ts';
import type { RecordFiles } from './record-files.ts';
import type { RecordLink, RecordStaging, StagedRecord } from './record-staging.ts';
import type { RecordMatch, RecordUpdates } from './record-updates.ts';

/** Runs work in a transaction. */
export type Within = (work: (transaction: Transaction) => Promise<void>) => Promise<void>;

export interface RecordsImport {
  readonly files: RecordFiles;
  /** Migrated to the content types. */
  readonly database: Database;
  readonly types: ContentTypes;
  /** A folder with space for a working copy of the files during the import. */
  readonly workFolder: string;
  /** Where the changes are logged; default: the event log, as changes of the service or its operator. */
  readonly log?: ChangeLog;
  readonly dryRun: boolean;
  /** Where the files of media are looked for; absent: their records are stored without what is found from the bytes. */
  readonly media?: ImportStorage;
  /**
   * `refuse`: all records are stored in one transaction, or none if any has an error. `leave_out`: records with errors are listed, and
   * all others are stored a few at a time, so that nobody else waits for long. Default: `refuse`.
   */
  readonly errors?: 'refuse' | 'leave_out';
  readonly progress: Progress;
  /** Only with `leave_out`. */
  readonly checkpoint?: Checkpoint;
  /** Names the source that knows the records by ids of its own; absent: they are known by their ids, or by what they say. */
  readonly source?: string;
  /**
   * Runs before the first record is stored. `within` runs a part of its work in the one transaction of `refuse`, otherwise in one of its
   * own. It may run again from its beginning.
   */
  readonly begin?: (within: Within) => Promise<void>;
  /** Whether a record that no file has will be there once `begin` has run. */
  readonly isComing?: (link: RecordLink) => boolean;
  /** How records are matched with stored ones; absent: one whose id exists stays as it is. */
  readonly match?: RecordMatch;
}

/** An import whose files have been read. */
export interface ReadImport extends RecordsImport {
  readonly restorer: RecordRestorer;
  readonly staging: RecordStaging;
  readonly entries: RecordEntries;
  readonly tally: TransferTally;
  /** Absent: the import takes no files. */
  readonly fileImport?: FileImport;
  readonly breaks: Breaks;
  /** Absent: records are not matched. */
  readonly updates?: RecordUpdates;
}

/** The record that was staged, as it was read. */
export function stagedRecord(run: ReadImport, { content }: StagedRecord, type: ContentType): RestoredRecord {
  // True because the import stages objects alone.
  const body = JSON.parse(content) as Record<string, unknown>;
  return run.restorer.check(type, body, factsOf(run.staging, type, body));
}
