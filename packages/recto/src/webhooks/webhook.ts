import type { ChangeAction } from '../records/write/change-log.ts';

/** A place that is sent changes of records. Times are milliseconds since 1970. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Singular names of content types; empty: all. */
  readonly types: readonly string[];
  /** Empty: all. */
  readonly actions: readonly ChangeAction[];
  /** An expression over the fields of the types, for which a record must hold; null: all records. */
  readonly filter: string | null;
  readonly description: string;
  readonly enabled: boolean;
  /** Why the service has disabled it; null where a person has, or it is enabled. */
  readonly disabledReason: string | null;
  /** Whether records are sent with their private fields, as admins see them. */
  readonly includePrivate: boolean;
  /** Whether it gets one message for a release in place of one for each of its records. */
  readonly releases: boolean;
  /** The tags of the languages whose words it hears of; empty: all. */
  readonly languages: readonly string[];
  readonly secret: string;
  /** The one before, which signs as well until `previousUntil`. */
  readonly previousSecret: string | null;
  readonly previousUntil: number | null;
  /** The number of the last event that it does not get: what was logged before it was made, or enabled again. */
  readonly since: number;
  /** The account or API token that made it. */
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What people set. */
export type WebhookInput = Pick<
  Webhook,
  'url' | 'types' | 'actions' | 'filter' | 'description' | 'enabled' | 'includePrivate' | 'releases' | 'languages'
>;

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One message to one webhook. */
export interface Delivery {
  /** `msg_…`: the receiver gets it with each attempt, as `webhook-id`. The same change has the same one at any time. */
  readonly id: string;
  readonly webhook: string;
  /** The number of the change in the event log; 0 for a test. */
  readonly seq: number;
  /** `articles.update`. */
  readonly type: string;
  /** The record's id; empty for a test. */
  readonly record: string;
  readonly state: DeliveryState;
  readonly body: string;
  readonly attempts: number;
  /** When the next attempt is due; null where there is none, and behind a pending one of the same record. */
  readonly nextAt: number | null;
  readonly last: DeliveryAttempt | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

/** What became of an attempt. */
export interface DeliveryAttempt {
  readonly at: number;
  /** The status of the response; null where there was none. */
  readonly status: number | null;
  /** Why it failed; null for success. */
  readonly error: string | null;
  readonly durationMs: number;
}
