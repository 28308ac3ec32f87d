import { StagingStatements } from '../staging-statements.ts';

/**
 * `records`: what the source has, and the ids that they get. `state`: `new`, `before` (stored by an earlier import), `gone` (stored by one, and
 * deleted since). `files`: those that records name.
 */
const tables = [
  'CREATE TABLE records (type TEXT, foreign_id TEXT, id TEXT, state TEXT, PRIMARY KEY (type, foreign_id)) WITHOUT ROWID',
  'CREATE TABLE ledger (type TEXT, foreign_id TEXT, id TEXT, PRIMARY KEY (type, foreign_id)) WITHOUT ROWID',
  'CREATE TABLE accounts (entry TEXT PRIMARY KEY, id TEXT UNIQUE, account TEXT) WITHOUT ROWID',
  'CREATE TABLE addresses (key TEXT PRIMARY KEY) WITHOUT ROWID',
  'CREATE TABLE files (number INTEGER PRIMARY KEY, key TEXT UNIQUE, file TEXT, id TEXT, state TEXT, url TEXT)',
];

export type RecordState = 'new' | 'before' | 'gone';

export interface StagedId {
  readonly id: string;
  readonly state: RecordState;
}

export interface StagedAccount {
  readonly entry: string;
  readonly id: string;
  /** As JSON: see `ForeignAccount`. */
  readonly account: string;
}

/** `lost`: it cannot be taken. */
export type FileState = RecordState | 'lost';

export interface StagedFile {
  readonly number: number;
  readonly key: string;
  /** As JSON: see `ForeignFile`. */
  readonly file: string;
}

/** The ids of the records of a source and of its files, which can be more than memory holds. */
export class ForeignStaging implements Disposable {
  readonly #statements: StagingStatements;

  constructor(folder: string) {
    this.#statements = new StagingStatements(folder, tables);
  }

  [Symbol.dispose](): void {
    this.#statements[Symbol.dispose]();
  }

  /** Notes what an earlier import has stored. */
  addEarlier(type: string, foreignId: string, id: string): void {
    this.#statements.run('INSERT OR REPLACE INTO ledger VALUES (?, ?, ?)', type, foreignId, id);
  }

  /** The id that an earlier import gave. */
  earlier(type: string, foreignId: string): string | undefined {
    const sql = 'SELECT id FROM ledger WHERE type = ? AND foreign_id = ?';
    return this.#statements.first<{ id: string }>(sql, type, foreignId)?.id;
  }

  /** False where the source has such a record twice. */
  add(type: string, foreignId: string, { id, state }: StagedId): boolean {
    return this.#statements.run('INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?)', type, foreignId, id, state);
  }

  find(type: string, foreignId: string): StagedId | undefined {
    return this.#statements.first<StagedId>(
      'SELECT id, state FROM records WHERE type = ? AND foreign_id = ?',
      type,
      foreignId,
    );
  }

  /** False where another account of the source has the address. */
  claimAddress(key: string): boolean {
    return this.#statements.run('INSERT OR IGNORE INTO addresses VALUES (?)', key);
  }

  /** Notes an account that is to be stored, as JSON. */
  addAccount(entry: string, id: string, account: string): void {
    this.#statements.run('INSERT INTO accounts VALUES (?, ?, ?)', entry, id, account);
  }

  hasAccount(id: string): boolean {
    return this.#statements.first('SELECT 1 FROM accounts WHERE id = ?', id) !== undefined;
  }

  get accountsTotal(): number {
    return this.#statements.first<{ value: number }>('SELECT count(*) AS value FROM accounts')?.value ?? 0;
  }

  accounts(after: string, limit: number): readonly StagedAccount[] {
    const sql = 'SELECT entry, id, account FROM accounts WHERE entry > ? ORDER BY entry LIMIT ?';
    return this.#statements.all<StagedAccount>(sql, after, limit);
  }

  /** Notes a file, as JSON. What a text says of it counts where no field of a file says anything. */
  addFile(key: string, file: string, isMention: boolean): void {
    const otherwise = isMention ? 'DO NOTHING' : 'DO UPDATE SET file = excluded.file';
    this.#statements.run(`INSERT INTO files (key, file) VALUES (?, ?) ON CONFLICT (key) ${otherwise}`, key, file);
  }

  setFile(number: number, state: FileState, { id, url }: { readonly id: string; readonly url: string }): void {
    this.#statements.run('UPDATE files SET state = ?, id = ?, url = ? WHERE number = ?', state, id, url, number);
  }

  /** Where a file is now; undefined where it cannot be taken. */
  file(key: string): { readonly id: string; readonly url: string } | undefined {
    const sql = "SELECT id, url FROM files WHERE key = ? AND state IN ('new', 'before')";
    return this.#statements.first<{ id: string; url: string }>(sql, key);
  }

  *files(): Generator<StagedFile> {
    const sql = 'SELECT number, key, file FROM files WHERE number > ? ORDER BY number LIMIT 1';
    for (let number = 0; ; ) {
      const row = this.#statements.first<StagedFile>(sql, number);
      if (row === undefined) return;
      yield row;
      number = row.number;
    }
  }
}
