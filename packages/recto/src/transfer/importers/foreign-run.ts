import type { PasswordHasher } from '../../auth/password-hasher.ts';
import type { Caller } from '../../base/caller.ts';
import type { Database } from '../../database/database.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { FileStore } from '../../media/file-store.ts';
import type { IngestLimits } from '../../media/ingest-file.ts';
import type { RecordRestorer } from '../../records/restore-record.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Breaks } from '../breaks.ts';
import type { Checkpoint, Progress } from '../progress.ts';
import type { TransferTally } from '../transfer-report.ts';
import type { BoundLanguages } from './foreign-languages.ts';
import type { ForeignStaging } from './foreign-staging.ts';
import type { ImportMap } from './import-map.ts';
import type { ForeignContent, ForeignType, Importer, ReadOptions } from './importer.ts';

export interface ForeignImport {
  readonly importer: Importer;
  /** The source. */
  readonly path: string;
  readonly read: Omit<ReadOptions, 'workFolder'>;
  readonly map: ImportMap;
  /** Migrated to the content types. */
  readonly database: Database;
  readonly types: ContentTypes;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  /** Where files go. */
  readonly media: { readonly storage: Storage; readonly store: FileStore; readonly limits: IngestLimits };
  /** A folder with space for a working copy of the source during the import. */
  readonly workFolder: string;
  readonly dryRun: boolean;
  /** See `RecordsImport`. */
  readonly errors: 'refuse' | 'leave_out';
  readonly progress: Progress;
  readonly checkpoint?: Checkpoint;
  /** Who brings it in; default: the service, or its operator. */
  readonly by?: Caller;
}

/** A type of the source and that which its records become. */
export interface BoundType {
  readonly from: ForeignType;
  readonly type: ContentType;
  /** Names here, by those of the source. */
  readonly fields: ReadonlyMap<string, string>;
}

/** What the steps of an import share. */
export interface ForeignRun {
  readonly options: ForeignImport;
  readonly content: ForeignContent;
  readonly bound: readonly BoundType[];
  readonly languages: BoundLanguages;
  readonly staging: ForeignStaging;
  readonly restorer: RecordRestorer;
  readonly breaks: Breaks;
  /** Remarks and counts besides those of the records that are stored. */
  readonly tally: TransferTally;
}
