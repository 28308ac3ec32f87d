import type { SqlValue } from '../../base/bindings.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { StoredRecords } from '../../definition/protocol.ts';
import { decodeRow, type RecordStatements } from '../statements/record-statements.ts';
import { tenantOfRecord } from './tenancy.ts';

/** What protocols may look at while a record of the type and tenant is written. */
export function storedRecords(
  executor: Executor,
  statements: RecordStatements,
  dialect: Dialect,
  { type, tenant }: { readonly type: ContentType; readonly tenant: string | null },
): StoredRecords {
  return {
    find: async (id) => {
      const row = await executor.first<Record<string, SqlValue>>(statements.row(type, id));
      const record = row === undefined ? undefined : decodeRow(type, row, dialect);
      const isOthers = record !== undefined && type.partition !== null && tenantOfRecord(type, record) !== tenant;
      return isOthers ? undefined : record;
    },
    greatest: async (column) => {
      const row = await executor.first<{ greatest: SqlValue }>(statements.greatest(type, column, tenant));
      return row === undefined || row.greatest === null ? undefined : Number(row.greatest);
    },
    below: async (parent, id, other) => {
      const statement = statements.below(type, parent, id, other);
      const row = await executor.first<{ levels: SqlValue; includes: SqlValue }>(statement);
      return { includes: Number(row?.includes ?? 0) === 1, levels: Number(row?.levels ?? 0) };
    },
  };
}
