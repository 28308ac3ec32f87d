import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { roomKept } from '../outage-problem.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/**
 * What is kept of a disk for deletes: the log may grow by its largest usual length, and the file by as much when the log is
 * merged, with room to spare.
 */
const mostKept = 16 * 1024 * 1024;

/** Of a small disk, one part in so many. */
const keptPart = 4;

/** How long a disk with room counts as one, in milliseconds. */
const rememberedMs = 100;

export interface DiskRoomOptions {
  /** The database file. */
  readonly path: string;
  /** The most pages that the file may have; absent: as many as the disk holds. */
  readonly maxPages?: number;
}

/**
 * Keeps the last part of the disk for deletes. A delete writes to the log too, before its pages are free: on a disk that creates
 * had filled completely, none would succeed.
 */
export class DiskRoom {
  readonly #connection: SqliteConnection;
  readonly #folder: string;
  readonly #isLimited: boolean;
  #lookAt = 0;

  constructor(connection: SqliteConnection, { path, maxPages }: DiskRoomOptions) {
    this.#connection = connection;
    this.#folder = dirname(path);
    this.#isLimited = maxPages !== undefined;
  }

  /** Throws the 503 of a full disk where only the kept part is left. */
  require(): void {
    if (performance.now() < this.#lookAt) return;
    if (this.#isShort()) throw roomKept();
    this.#lookAt = this.#isLimited ? 0 : performance.now() + rememberedMs;
  }

  #isShort(): boolean {
    const { bavail, blocks, bsize } = statfsSync(this.#folder);
    // What is free inside of the file is used first; it is looked at only where it matters.
    if (!this.#isLimited && !isShort(bavail * bsize, blocks * bsize)) return false;
    const [page, unused] = [this.#number('page_size'), this.#number('freelist_count')];
    if (isShort(bavail * bsize + unused * page, blocks * bsize)) return true;
    const most = this.#number('max_page_count');
    return isShort((most - this.#number('page_count') + unused) * page, most * page);
  }

  #number(pragma: 'page_size' | 'page_count' | 'freelist_count' | 'max_page_count'): number {
    const row = this.#connection.first<{ value: number }>({
      sql: `SELECT ${pragma} AS value FROM pragma_${pragma}`,
      parameters: [],
    });
    return row?.value ?? 0;
  }
}

const isShort = (free: number, all: number): boolean => free < Math.min(mostKept, all / keptPart);
