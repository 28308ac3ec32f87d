import type { Statement } from 'bun:sqlite';
import type { ChangedValues } from '../../definition/protocol.ts';
import type { StoredUpload } from '../../media/file-store.ts';
import { StagingFile } from '../staging-file.ts';
import { listedFailures, type MissingFile, type MissingFiles } from '../transfer-report.ts';

/**
 * `state`: what became of a record; null while nothing has. `level`: see `settle`. `entry`: see `StagedRecord`. The contents are apart, so that statements on all
 * records pass over little.
 */
const tables = [
  `CREATE TABLE records (number INTEGER PRIMARY KEY, type TEXT, id TEXT, file TEXT, line INTEGER,
    entry TEXT, state TEXT, level INTEGER, is_update INTEGER, UNIQUE (type, id))`,
  'CREATE TABLE contents (number INTEGER PRIMARY KEY, content TEXT)',
  'CREATE TABLE links (number INTEGER, target TEXT, id TEXT, leads_to INTEGER)',
  'CREATE TABLE unique_values (value TEXT PRIMARY KEY) WITHOUT ROWID',
  'CREATE TABLE facts (hash TEXT PRIMARY KEY, facts TEXT) WITHOUT ROWID',
  'CREATE TABLE files (hash TEXT PRIMARY KEY, key TEXT, size INTEGER) WITHOUT ROWID',
  'CREATE TABLE missing_files (number INTEGER PRIMARY KEY, id TEXT, name TEXT, hash TEXT)',
  'CREATE TABLE contents_seen (type TEXT, hash TEXT, times INTEGER, PRIMARY KEY (type, hash)) WITHOUT ROWID',
];

/** Of a record that the database did not have, or not so: it is stored, or it has an error. */
export type StagedState = 'new' | 'failed';

export interface StagedRecord {
  readonly number: number;
  /** The type's singular name. */
  readonly type: string;
  readonly file: string;
  readonly line: number;
  /** As in the file; with the id that it gets, where the file gives none. */
  readonly content: string;
  /** What it is known by in a later import, where the file gives no id; otherwise null. */
  readonly entry: string | null;
}

/** `isUpdate`: the content is changes of a stored record; such a record is in none of the orders but `updates`. */
type NewStaged = Omit<StagedRecord, 'number'> & { readonly id: string; readonly isUpdate?: boolean };

/** Changes of a stored record. */
export interface StagedUpdate extends StagedRecord {
  readonly id: string;
}

/** A record of another one, by the type's singular name and the id. */
export interface RecordLink {
  readonly target: string;
  readonly id: string;
}

/** Where a record is in the order of `settle`. */
export interface StagedPosition {
  readonly level: number;
  readonly number: number;
}

const columns = 'number, type, file, line, content, entry';
const whole = 'records JOIN contents USING (number)';

/** The records of an import after their files were checked and before they are stored. */
export class RecordStaging implements Disposable {
  readonly #file: StagingFile;
  readonly #statements = new Map<string, Statement>();

  constructor(folder: string) {
    this.#file = new StagingFile(folder, tables);
    this.#file.database.run('BEGIN');
  }

  [Symbol.dispose](): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#file[Symbol.dispose]();
  }

  /** The number of the record; undefined when one of that type and id is staged already. */
  add(record: NewStaged): number | undefined {
    const { changes, lastInsertRowid } = this.#statement(
      'INSERT OR IGNORE INTO records (type, id, file, line, entry, is_update) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(record.type, record.id, record.file, record.line, record.entry, record.isUpdate === true ? 1 : 0);
    if (changes === 0) return undefined;
    const number = Number(lastInsertRowid);
    this.#statement('INSERT INTO contents VALUES (?, ?)').run(number, record.content);
    return number;
  }

  /** How many records of the type with that content there are up to here, this one included. */
  seen(type: string, hash: string): number {
    const sql = `INSERT INTO contents_seen VALUES (?, ?, 1)
      ON CONFLICT DO UPDATE SET times = times + 1 RETURNING times`;
    return this.#all<{ times: number }>(sql, type, hash)[0]?.times ?? 1;
  }

  /** Notes what a record leads to. */
  link(number: number, { target, id }: RecordLink): void {
    this.#statement('INSERT INTO links (number, target, id) VALUES (?, ?, ?)').run(number, target, id);
  }

  /** The place of the record of that type and id: `posts.ndjson:12`. */
  placeOf(type: string, id: string): string {
    const [row] = this.#all<Pick<StagedRecord, 'file' | 'line'>>(
      'SELECT file, line FROM records WHERE type = ? AND id = ?',
      ...[type, id],
    );
    return row === undefined ? '' : placeOf(row);
  }

  get total(): number {
    return this.#all<{ value: number }>('SELECT count(*) AS value FROM records')[0]?.value ?? 0;
  }

  mark({ number }: Pick<StagedRecord, 'number'>, state: StagedState): void {
    this.#statement('UPDATE records SET state = ? WHERE number = ?').run(state, number);
  }

  /** Removes all of these marks. */
  unmark(): void {
    this.#statement('UPDATE records SET state = NULL WHERE state IS NOT NULL').run();
  }

  /** Whether the files hold such a record, and it has shown no error yet. */
  holds({ target, id }: RecordLink): boolean {
    const sql = "SELECT 1 FROM records WHERE type = ? AND id = ? AND state IS NOT 'failed'";
    return this.#all(sql, target, id).length > 0;
  }

  /** False where a record of the files has that unique value already. */
  claim(value: string): boolean {
    return this.#statement('INSERT OR IGNORE INTO unique_values VALUES (?)').run(value).changes > 0;
  }

  /** Notes what is known of a file. */
  addFacts(hash: string, facts: ChangedValues): void {
    this.#statement('INSERT OR IGNORE INTO facts VALUES (?, ?)').run(hash, JSON.stringify(facts));
  }

  facts(hash: string): ChangedValues | undefined {
    const [row] = this.#all<{ facts: string }>('SELECT facts FROM facts WHERE hash = ?', hash);
    // True because `addFacts` writes them, which are numbers, texts and null.
    return row === undefined ? undefined : (JSON.parse(row.facts) as ChangedValues);
  }

  /** Notes a file that is stored, and that no row names yet. */
  addFile({ hash, key, size }: StoredUpload): void {
    this.#statement('INSERT OR REPLACE INTO files VALUES (?, ?, ?)').run(hash, key, size);
  }

  file(hash: string): StoredUpload | undefined {
    return this.#all<StoredUpload>('SELECT hash, key, size FROM files WHERE hash = ?', hash)[0];
  }

  *files(): Generator<StoredUpload> {
    for (let after = ''; ; ) {
      const [file] = this.#all<StoredUpload>(
        'SELECT hash, key, size FROM files WHERE hash > ? ORDER BY hash LIMIT 1',
        after,
      );
      if (file === undefined) return;
      yield file;
      after = file.hash;
    }
  }

  /** Notes that the file of a record is not known. */
  addMissing({ number }: Pick<StagedRecord, 'number'>, { id, name, hash }: MissingFile): void {
    this.#statement('INSERT OR IGNORE INTO missing_files VALUES (?, ?, ?, ?)').run(number, id, name, hash);
  }

  /** The files that are missing of records without an error. */
  missingFiles(): MissingFiles {
    const from = "FROM missing_files JOIN records USING (number) WHERE state IS NOT 'failed'";
    const files = this.#all<MissingFile>(
      `SELECT missing_files.id AS id, name, hash ${from} ORDER BY number LIMIT ${listedFailures}`,
    );
    return { total: this.#all<{ value: number }>(`SELECT count(*) AS value ${from}`)[0]?.value ?? 0, files };
  }

  /** The records of a type, in the order of their files and lines. */
  *recordsOf(type: string): Generator<StagedRecord> {
    const sql = `SELECT ${columns} FROM ${whole} WHERE type = ? AND number > ? ORDER BY number LIMIT 1`;
    for (let number = 0; ; ) {
      const [record] = this.#all<StagedRecord>(sql, type, number);
      if (record === undefined) return;
      yield record;
      number = record.number;
    }
  }

  /** The changes of stored records, in the order of their files and lines. */
  *updates(): Generator<StagedUpdate> {
    const sql = `SELECT id, ${columns} FROM ${whole} WHERE is_update = 1 AND number > ? ORDER BY number LIMIT 1`;
    for (let number = 0; ; ) {
      const [record] = this.#all<StagedUpdate>(sql, number);
      if (record === undefined) return;
      yield record;
      number = record.number;
    }
  }

  /** The records in the order of their files and lines, one in memory at a time. */
  *records(which: 'all' | 'new'): Generator<StagedRecord> {
    const condition = which === 'all' ? 'AND is_update = 0' : "AND is_update = 0 AND state = 'new'";
    for (let number = 0; ; ) {
      const [record] = this.#all<StagedRecord>(
        `SELECT ${columns} FROM ${whole} WHERE number > ? ${condition} ORDER BY number LIMIT 1`,
        number,
      );
      if (record === undefined) return;
      yield record;
      number = record.number;
    }
  }

  /**
   * Computes the order in which records can be stored one by one, each after those that it leads to: a level is one more than those of
   * what it leads to. Records that lead to each other have none, nor has what leads to these.
   */
  async settle(pause: () => Promise<void> | undefined): Promise<void> {
    const { database } = this.#file;
    database.run(
      'UPDATE links SET leads_to = (SELECT number FROM records WHERE type = links.target AND id = links.id)',
    );
    database.run('DELETE FROM links WHERE leads_to IS NULL');
    database.run('CREATE INDEX links_from ON links (number)');
    database.run('CREATE INDEX links_to ON links (leads_to)');
    database.run(
      'UPDATE records SET level = 0 WHERE NOT EXISTS (SELECT 1 FROM links WHERE links.number = records.number)',
    );
    database.run('CREATE INDEX records_order ON records (level, number)');
    const next = this.#statement(`UPDATE records SET level = ?1 + 1 WHERE level IS NULL
      AND number IN (SELECT links.number FROM records AS target JOIN links ON leads_to = target.number WHERE target.level = ?1)
      AND NOT EXISTS (SELECT 1 FROM links JOIN records AS target ON target.number = leads_to
        WHERE links.number = records.number AND (target.level IS NULL OR target.level > ?1))`);
    for (let level = 0; next.run(level).changes > 0; level += 1) await pause();
  }

  /** The next records that have a level, within what one transaction may hold; none after the last. */
  slice({ level, number }: StagedPosition): readonly (StagedRecord & StagedPosition)[] {
    const rows = this.#all<StagedRecord & StagedPosition>(
      `SELECT level, ${columns} FROM ${whole} WHERE is_update = 0 AND (level, number) > (?, ?) ORDER BY level, number LIMIT ${most.records}`,
      ...[level, number],
    );
    let size = 0;
    const over = rows.findIndex(({ content }, index) => {
      size += content.length;
      return index > 0 && size > most.size;
    });
    return over === -1 ? rows : rows.slice(0, over);
  }

  /** The records without a level that have shown no error yet. */
  *knots(): Generator<StagedRecord> {
    const sql = `SELECT ${columns} FROM ${whole} WHERE level IS NULL AND is_update = 0 AND state IS NOT 'failed' AND number > ? ORDER BY number LIMIT 1`;
    for (let number = 0; ; ) {
      const [record] = this.#all<StagedRecord>(sql, number);
      if (record === undefined) return;
      yield record;
      number = record.number;
    }
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#file.database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #all<Row>(sql: string, ...values: (string | number)[]): readonly Row[] {
    // The columns are those that the statement names.
    return this.#statement(sql).all(...values) as Row[];
  }
}

/** The limits of one transaction, in records and characters. */
const most = { records: 100, size: 1024 * 1024 } as const;

export const placeOf = ({ file, line }: Pick<StagedRecord, 'file' | 'line'>): string => `${file}:${line}`;
