import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixed, table } from './table.ts';

// bun bench/search-index.ts: what indexes for beginnings of words cost on SQLite: processor time and size of the search index of
// 60,000 records of 66 words each, of 20,000 different ones.

const records = 60_000;
const perTransaction = 50;

/** A generator of the same numbers in each run, below `limit`. */
function numbers(): (limit: number) => number {
  let state = 12_345;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 0x80000000;
    return state % limit;
  };
}

const next = numbers();
const letters = (count: number): string =>
  Array.from({ length: count }, () => String.fromCharCode(97 + next(26))).join('');
const vocabulary = Array.from({ length: 20_000 }, (_, place) => letters(4 + (place % 8)));
/** Some words are more frequent than others. */
const word = (): string => vocabulary[Math.floor((next(100_000) / 100_000) ** 2 * vocabulary.length)] ?? '';
const text = (count: number): string => Array.from({ length: count }, word).join(' ');
const texts = Array.from({ length: records }, (): [string, string] => [text(6), text(60)]);

function measure(prefix: string): readonly [microseconds: number, megabytes: number] {
  const folder = mkdtempSync(join(tmpdir(), 'recto-bench-'));
  try {
    const path = join(folder, 'search.db');
    using database = new Database(path);
    database.run('PRAGMA journal_mode = WAL');
    database.run('PRAGMA synchronous = OFF');
    database.run(
      `CREATE VIRTUAL TABLE s USING fts5(f_title, f_body, content = '', contentless_delete = 1, ${prefix}
        tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'")`,
    );
    const insert = database.query('INSERT INTO s (rowid, f_title, f_body) VALUES (?, ?, ?)');
    const begun = process.cpuUsage();
    for (let from = 0; from < records; from += perTransaction) {
      database.run('BEGIN');
      for (const [place, [title, body]] of texts.slice(from, from + perTransaction).entries())
        insert.run(from + place + 1, title, body);
      database.run('COMMIT');
    }
    const { user, system } = process.cpuUsage(begun);
    database.run('PRAGMA wal_checkpoint(TRUNCATE)');
    return [(user + system) / records, statSync(path).size / 1e6];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const rows = ['', "prefix = '1 2 3',", "prefix = '1 2 3 4 5 6',"].map((prefix) => {
  const [microseconds, megabytes] = measure(prefix);
  return [prefix === '' ? 'none' : prefix.slice(0, -1), fixed(microseconds, 0), fixed(megabytes, 0)];
});
process.stdout.write(`${table(['indexes for beginnings', 'µs of processor time per record', 'MB'], rows)}\n`);
