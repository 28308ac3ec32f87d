import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { column, never } from './sql-parts.ts';

/** One record of one type. */
export interface OneRecord {
  /** The singular of its type. */
  readonly type: string;
  readonly id: string;
}

/** The condition that a row of a type is that record; none where any may be. */
export function onlyConditions(
  type: ContentType,
  alias: string,
  only: OneRecord | undefined,
  dialect: Dialect,
): readonly RawBuilder<boolean>[] {
  if (only === undefined) return [];
  if (type.singular !== only.type) return [never];
  return [sql<boolean>`${column(alias, 'id')} = ${dialect.rules.plannedOnce(sql.val(only.id))}`];
}
