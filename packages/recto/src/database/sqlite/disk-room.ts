import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { roomKept } from '../outage-problem.ts';
import { longestLog } from './longest-log.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** What is kept of a disk for deletes: the log, and what their events add to the file. */
const mostKept = longestLog + 8 * 1024 * 1024;

/** Of a small disk, one part in so many. */
const keptPart = 4;

/** With so many times what is kept, a disk counts as one with room for a while: writes do not fill it in that time. */
const ampleTimes = 4;

/** How long, in milliseconds. */
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
  readonly #path: string;
  readonly #isLimited: boolean;
  #lookAt = 0;

  constructor(connection: SqliteConnection, { path, maxPages }: DiskRoomOptions) {
    this.#connection = connection;
    this.#path = path;
    this.#isLimited = maxPages !== undefined;
  }

  /** Throws the 503 of a full disk where only the kept part is left. */
  require(): void {
    if (performance.now() < this.#lookAt) return;
    const { bavail, blocks, bsize } = statfsSync(dirname(this.#path));
    const [free, all] = [bavail * bsize, blocks * bsize];
    if (this.#isShort(free, all)) throw roomKept();
    if (!this.#isLimited && free >= ampleTimes * keptOf(all)) this.#lookAt = performance.now() + rememberedMs;
  }

  #isShort(free: number, all: number): boolean {
    // What is free inside of the files is used first; it is looked at only where it matters.
    if (!this.#isLimited && !isShort(free, all)) return false;
    const page = this.#number('page_size');
    const [pages, unused] = [this.#number('page_count') * page, this.#number('freelist_count') * page];
    // What the log has already is used again once it is merged, for which the file may have to grow.
    const log = Math.min(sizeOf(`${this.#path}-wal`), (keptOf(all) * longestLog) / mostKept);
    const growth = Math.max(pages - sizeOf(this.#path), 0);
    if (isShort(free + unused + log - growth, all)) return true;
    const most = this.#number('max_page_count') * page;
    return isShort(most - pages + unused, most);
  }

  #number(pragma: 'page_size' | 'page_count' | 'freelist_count' | 'max_page_count'): number {
    const row = this.#connection.first<{ value: number }>({
      sql: `SELECT ${pragma} AS value FROM pragma_${pragma}`,
      parameters: [],
    });
    return row?.value ?? 0;
  }
}

const keptOf = (all: number): number => Math.min(mostKept, all / keptPart);
const isShort = (free: number, all: number): boolean => free < keptOf(all);
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
