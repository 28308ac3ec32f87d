import { authTables } from '../auth/auth-tables.ts';
import { definitionTables } from '../content-types/definition-tables.ts';
import { engineTables } from '../database/engine/engine-tables.ts';
import { revisionsTable } from '../database/schema/revisions-table.ts';
import { schemaTable } from '../database/schema/schema-table.ts';
import { replyTable } from '../records/idempotency/reply-table.ts';
import { importsTable } from '../transfer/imports-table.ts';

/** All tables of the engine, in the order in which they are made and copied. */
export const rectoTables = engineTables([
  schemaTable,
  ...definitionTables,
  ...authTables,
  replyTable,
  importsTable,
  revisionsTable,
]);
