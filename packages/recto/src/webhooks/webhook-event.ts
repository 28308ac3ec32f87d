import type { Caller } from '../base/caller.ts';
import type { Transaction } from '../database/database.ts';
import { logOtherChange } from '../events/event-writer.ts';
import type { Webhook } from './webhook.ts';

/** The type of events of webhooks. No content type has such a name. */
export const webhookEvents = 'recto:webhook';

/** A webhook that is made, changed or removed. */
export interface WebhookEvent {
  readonly id: string;
  readonly action: 'create' | 'update' | 'delete';
  /** What an update changes, by its names in the API. */
  readonly changed?: readonly string[];
  readonly by: Caller;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Logs it: a webhook can send content anywhere, so an audit has to show who made or changed it. Never its address or secret. */
export function logWebhook(transaction: Transaction, { changed = [], by, now, ...event }: WebhookEvent): void {
  const at = new Date(now).toISOString();
  logOtherChange(transaction, { ...event, type: webhookEvents, tenant: null, changed, caller: by, at });
}

/** The members that people set, by their names in the API, of which two states of a webhook differ. */
export const changedNames = (before: Webhook, after: Webhook): readonly string[] =>
  Object.entries(settable).flatMap(([name, read]) => (read(before) === read(after) ? [] : [name]));

const settable: Readonly<Record<string, (webhook: Webhook) => unknown>> = {
  url: ({ url }) => url,
  types: ({ types }) => JSON.stringify(types),
  actions: ({ actions }) => JSON.stringify(actions),
  filter: ({ filter }) => filter,
  description: ({ description }) => description,
  enabled: ({ enabled }) => enabled,
  include_private: ({ includePrivate }) => includePrivate,
  releases: ({ releases }) => releases,
  languages: ({ languages }) => JSON.stringify(languages),
};
