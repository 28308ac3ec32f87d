import { type RawBuilder, sql } from 'kysely';
import type { ContentType } from '../../definition/content-type.ts';

/** The names of what a stream of these types is made from: their records, and accounts. */
export const namesIn = (types: readonly ContentType[]): readonly string[] => [
  'recto:auth',
  ...types.map(({ singular }) => singular),
];

/** The events of these types. */
export const eventsOf = (types: readonly ContentType[]): RawBuilder<boolean> =>
  types.length === 0 ? sql`1 = 0` : sql`"type" in (${sql.join(types.map(({ singular }) => singular))})`;
