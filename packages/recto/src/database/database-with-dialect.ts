import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';

/** The same database, whose statements are made with another dialect. */
export const withDialect = (database: Database, dialect: Dialect): Database => ({
  dialect,
  generations: database.generations,
  rows: (query) => database.rows(query),
  first: (query) => database.first(query),
  run: (query) => database.run(query),
  transaction: (work) => database.transaction(work),
  requireRoom: () => database.requireRoom?.(),
  snapshot: (work) => database.snapshot(work),
  reader: (names, kind) => database.reader(names, kind),
  get readPlaces() {
    return database.readPlaces;
  },
  onCommit: (listener) => database.onCommit(listener),
  ping: () => database.ping(),
  close: () => database.close(),
});
