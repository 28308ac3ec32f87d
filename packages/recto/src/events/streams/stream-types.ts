import { type RawBuilder, sql } from 'kysely';
import type { ContentType } from '../../definition/content-type.ts';

/** The type of events that say that the notifications of an account, their record, have changed. */
export const notificationEvents = 'recto:notification';

/** The names of what a stream of these types is made from: their records, accounts and notifications. */
export const namesIn = (types: readonly ContentType[]): readonly string[] => [
  'recto:auth',
  notificationEvents,
  ...types.map(({ singular }) => singular),
];

/** The events of these types, and with `account` those of its notifications. */
export function eventsOf(types: readonly ContentType[], account: string | null = null): RawBuilder<boolean> {
  const names = types.map(({ singular }) => singular);
  const ofTypes: RawBuilder<boolean> = names.length === 0 ? sql`1 = 0` : sql`"type" in (${sql.join(names)})`;
  if (account === null) return ofTypes;
  return sql`(${ofTypes} or ("type" = ${notificationEvents} and "record" = ${account}))`;
}
