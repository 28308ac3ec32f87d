import { Database } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FileStore } from '../packages/recto/src/media/file-store.ts';
import { importForeign } from '../packages/recto/src/transfer/importers/import-foreign.ts';
import { importers } from '../packages/recto/src/transfer/importers/index.ts';
import { openPlanned, planOf } from '../test/support/foreign-imports.ts';
import { PocketbaseFolder } from '../test/support/pocketbase-folder.ts';

// Imports articles of PocketBase, each with a relation to one of 100 authors, into a file of SQLite. Prints records a second and the memory
// that it took: npx bun bench/import-pocketbase.ts [records] [refuse]

const total = Number(process.argv[2] ?? 100_000);
const text = { type: 'text' } as const;
const folder = new PocketbaseFolder({
  authors: { fields: [{ name: 'name', ...text }], rules: { listRule: '', viewRule: '' } },
  articles: {
    fields: [
      { name: 'title', ...text },
      { name: 'body', type: 'editor' },
      { name: 'views', type: 'number' },
      { name: 'author', type: 'relation', collectionId: 'authors_id', maxSelect: 1 },
    ],
    rules: { listRule: '', viewRule: '' },
  },
});
mkdirSync(join(folder.path, 'storage'));

/** Adds the rows one by one: as a list, they would be part of the memory that is measured. */
function fill(): void {
  using database = new Database(join(folder.path, 'data.db'));
  database.run('PRAGMA synchronous = OFF');
  database.transaction(() => {
    const time = '2024-05-01 10:00:00.000Z';
    const one = database.prepare('INSERT INTO authors (id, name, created, updated) VALUES (?, ?, ?, ?)');
    for (let index = 0; index < 100; index += 1) one.run(`a${index}`, `Author ${index}`, time, time);
    const article = database.prepare(
      'INSERT INTO articles (id, title, body, views, author, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    const body = `<p>${'On paper and type. '.repeat(20)}</p>`;
    for (let index = 0; index < total; index += 1)
      article.run(`r${index}`, `Article ${index}`, body, index, `a${index % 100}`, time, time);
  })();
}

const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

try {
  fill();
  const [entry] = importers;
  if (entry === undefined) throw new Error('There is no importer.');
  const plan = await planOf(entry, folder.path);
  await using service = await openPlanned(plan);
  const { database, types, storage } = service;
  let peak = 0;
  const before = performance.now();
  const busy = process.cpuUsage();
  const report = await importForeign({
    ...{ importer: await entry.load(), path: folder.path, read: {}, map: plan.map, database, types, dryRun: false },
    errors: process.argv[3] === 'refuse' ? 'refuse' : 'leave_out',
    progress: () => {
      peak = Math.max(peak, process.memoryUsage.rss());
    },
    passwords: { hash: async () => 'unusable' },
    media: { storage, store: new FileStore(database.dialect), limits: { maxBytes: 1_000_000, types: [] } },
    workFolder: dirname(database.path),
  });
  const seconds = (performance.now() - before) / 1_000;
  const cpu = process.cpuUsage(busy).user / 1_000_000;
  const taken = report.counts.reduce((sum, count) => sum + count.taken, 0);
  const rates = `${Math.round(taken / seconds)} a second, ${Math.round(taken / cpu)} for each of the processor`;
  process.stdout.write(`${taken} records in ${seconds.toFixed(1)} s: ${rates}; peak ${mib(peak)} resident\n`);
} finally {
  folder[Symbol.dispose]();
}
