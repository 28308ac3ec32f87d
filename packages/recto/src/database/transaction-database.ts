import type { Database, Transaction } from './database.ts';

/**
 * A running transaction as a database: reads see what it has written, and further transactions are parts of it. For code that
 * otherwise works on a database of its own.
 */
export function transactionDatabase(database: Database, transaction: Transaction): Database {
  const part: Transaction = {
    rows: (query) => transaction.rows(query),
    first: (query) => transaction.first(query),
    run: (query) => transaction.run(query),
    runAll: (queries) => transaction.runAll(queries),
    fact: (query) => transaction.fact(query),
    // More follows, whatever the part believes.
    last: (query) => transaction.first(query),
    touch: (name) => transaction.touch(name),
    append: (row) => transaction.append(row),
  };
  return {
    dialect: database.dialect,
    generations: database.generations,
    rows: part.rows,
    first: part.first,
    run: part.run,
    transaction: (work) => work(part),
    requireRoom: () => database.requireRoom?.(),
    snapshot: (work) => work(part),
    reader: () => part,
    onCommit: () => () => undefined,
    ping: () => database.ping(),
    close: async () => undefined,
  };
}
