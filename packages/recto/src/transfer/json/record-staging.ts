import type { Statement } from 'bun:sqlite';
import { StagingFile } from '../staging-file.ts';

const table = `CREATE TABLE records (number INTEGER PRIMARY KEY, type TEXT, id TEXT, file TEXT, line INTEGER,
  content TEXT, is_new INTEGER NOT NULL DEFAULT 0, UNIQUE (type, id))`;

export interface StagedRecord {
  readonly number: number;
  /** The type's singular name. */
  readonly type: string;
  readonly file: string;
  readonly line: number;
  /** As in the file. */
  readonly content: string;
}

/** The records of an import after their files were checked and before they are stored. */
export class RecordStaging implements Disposable {
  readonly #file: StagingFile;
  readonly #insert: Statement;
  readonly #next: Record<'all' | 'new', Statement<StagedRecord>>;
  readonly #mark: Statement;

  constructor(folder: string) {
    this.#file = new StagingFile(folder, [table]);
    const { database } = this.#file;
    database.run('BEGIN');
    this.#insert = database.prepare(
      'INSERT OR IGNORE INTO records (type, id, file, line, content) VALUES (?, ?, ?, ?, ?)',
    );
    const next = (condition: string) =>
      database.prepare<StagedRecord, [number]>(
        `SELECT number, type, file, line, content FROM records WHERE number > ? ${condition} ORDER BY number LIMIT 1`,
      );
    this.#next = { all: next(''), new: next('AND is_new = 1') };
    this.#mark = database.prepare('UPDATE records SET is_new = 1 WHERE number = ?');
  }

  [Symbol.dispose](): void {
    for (const statement of [this.#insert, this.#mark, ...Object.values(this.#next)]) statement.finalize();
    this.#file[Symbol.dispose]();
  }

  /** False when a record of that type and id is staged already. */
  add(record: Omit<StagedRecord, 'number'> & { readonly id: string }): boolean {
    return this.#insert.run(record.type, record.id, record.file, record.line, record.content).changes > 0;
  }

  /** The place of the record of that type and id: `posts.ndjson:12`. */
  placeOf(type: string, id: string): string {
    const row = this.#file.database
      .query<{ file: string; line: number }, [string, string]>(
        'SELECT file, line FROM records WHERE type = ? AND id = ?',
      )
      .get(type, id);
    return row === null ? '' : placeOf(row);
  }

  get total(): number {
    return this.#file.database.query<{ value: number }, []>('SELECT count(*) AS value FROM records').get()?.value ?? 0;
  }

  /** Marks a record that the database does not have yet. */
  markNew(number: number): void {
    this.#mark.run(number);
  }

  /** Removes all of these marks. */
  unmark(): void {
    this.#file.database.run('UPDATE records SET is_new = 0 WHERE is_new = 1');
  }

  /** The records in the order of their files and lines, one in memory at a time. */
  *records(which: 'all' | 'new'): Generator<StagedRecord> {
    for (let number = 0; ; ) {
      const record = this.#next[which].get(number);
      if (record === null) return;
      yield record;
      number = record.number;
    }
  }
}

export const placeOf = ({ file, line }: Pick<StagedRecord, 'file' | 'line'>): string => `${file}:${line}`;
