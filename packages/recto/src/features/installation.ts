import type { Settings } from '../config/settings.ts';
import type { Executor } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import type { Finding } from './finding.ts';

/** What `recto doctor` looks at: no service need run, and nothing is changed. */
export interface Installation {
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The content types that a start would serve; undefined where the definitions have errors. */
  readonly types: ContentTypes | undefined;
  /**
   * Reads the database as it is; undefined where there is none, or where it lacks a table, because this version has not opened it
   * yet. Rejects where it cannot be read.
   */
  read<Found>(
    table: string,
    find: (executor: Executor, dialect: Dialect) => Promise<Found>,
  ): Promise<Found | undefined>;
}

/** One check of an installation. */
export type InstallationCheck = (installation: Installation) => Promise<Finding>;
