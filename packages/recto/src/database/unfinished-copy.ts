import type { Executor } from './database.ts';
import type { Dialect } from './dialect.ts';

/** The table that a database has as long as it is being filled with what another one holds: nothing may serve it then. */
export const copyTable = 'recto_copy';

export const isUnfinishedCopy = async (executor: Executor, dialect: Dialect): Promise<boolean> =>
  (await executor.rows(dialect.schema.columns(copyTable))).length > 0;
