import { type Caller, callerId } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { deliverJob, deliverKey } from './deliver.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { testDelivery } from './new-delivery.ts';
import type { Delivery, Webhook, WebhookInput } from './webhook.ts';
import { changedNames, logWebhook } from './webhook-event.ts';
import { newWebhookSecret } from './webhook-signature.ts';
import type { WebhookStore } from './webhook-store.ts';

export interface WebhooksParts {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly store: WebhookStore;
  readonly deliveries: DeliveryStore;
  /** The number of the last event in the log, once it is kept for webhooks. */
  readonly lastEvent: () => Promise<number>;
}

/** How long the secret before the present one still signs. */
const overlapMs = 24 * 3_600_000;

/** What people do with webhooks. What is sent has been checked. */
export class Webhooks {
  readonly store: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly #parts: WebhooksParts;

  constructor(parts: WebhooksParts) {
    this.#parts = parts;
    this.store = parts.store;
    this.deliveries = parts.deliveries;
  }

  /** It gets the changes that are made from now on. */
  async create(input: WebhookInput, by: Caller): Promise<Webhook> {
    const { jobs, database, store } = this.#parts;
    const now = jobs.now();
    const webhook: Webhook = {
      ...input,
      id: newId(),
      disabledReason: null,
      secret: newWebhookSecret(),
      previousSecret: null,
      previousUntil: null,
      since: await this.#parts.lastEvent(),
      createdBy: callerId(by),
      createdAt: now,
      updatedAt: now,
    };
    await database.transaction(async (transaction) => {
      await store.insert(transaction, webhook);
      logWebhook(transaction, { id: webhook.id, action: 'create', by, now });
    });
    return webhook;
  }

  /**
   * Changes what differs from `webhook`. One that is enabled again gets what waited for it, and the changes that are made from now on.
   * Undefined where it is gone.
   */
  async update(webhook: Webhook, input: WebhookInput, by: Caller): Promise<Webhook | undefined> {
    const { database, store, jobs } = this.#parts;
    const now = jobs.now();
    const isEnabled = input.enabled && !webhook.enabled;
    const since = isEnabled ? await this.#parts.lastEvent() : webhook.since;
    const disabledReason = input.enabled ? null : webhook.disabledReason;
    const after: Webhook = { ...webhook, ...input, since, disabledReason, updatedAt: now };
    return database.transaction(async (transaction) => {
      const changed = await store.update(transaction, webhook, after);
      if (changed === undefined) return undefined;
      if (webhook.includePrivate && !after.includePrivate) await this.deliveries.omitRecords(transaction, webhook.id);
      if (isEnabled) await this.#deliver(transaction, webhook.id);
      const names = changedNames(webhook, after);
      if (names.length > 0) logWebhook(transaction, { id: webhook.id, action: 'update', changed: names, by, now });
      return changed;
    });
  }

  async remove(id: string, by: Caller): Promise<boolean> {
    const { database, store, jobs } = this.#parts;
    return database.transaction(async (transaction) => {
      if (!(await store.remove(transaction, id))) return false;
      await jobs.cancelIn(transaction, deliverKey(id));
      logWebhook(transaction, { id, action: 'delete', by, now: jobs.now() });
      return true;
    });
  }

  /** Gives it a new secret; the present one signs as well for a day. Undefined where it is gone. */
  async rotateSecret(id: string, by: Caller): Promise<Webhook | undefined> {
    const { database, store, jobs } = this.#parts;
    const now = jobs.now();
    const rotation = { secret: newWebhookSecret(), until: now + overlapMs, now };
    return database.transaction(async (transaction) => {
      const rotated = await store.rotateSecret(transaction, id, rotation);
      if (rotated !== undefined) logWebhook(transaction, { id, action: 'update', changed: ['secret'], by, now });
      return rotated;
    });
  }

  /** Has a message sent that is about no change. */
  async test(transaction: Transaction, webhook: Webhook): Promise<Delivery> {
    const delivery = testDelivery(webhook, this.#parts.jobs.now());
    await this.deliveries.insert(transaction, delivery);
    await this.#deliver(transaction, webhook.id);
    return delivery;
  }

  /** Undefined where there is no such delivery. */
  async redeliver(transaction: Transaction, webhook: Webhook, id: string): Promise<Delivery | undefined> {
    const delivery = await this.deliveries.redeliver(transaction, webhook.id, id, this.#parts.jobs.now());
    if (delivery !== undefined) await this.#deliver(transaction, webhook.id);
    return delivery;
  }

  async #deliver(transaction: Transaction, webhook: string): Promise<void> {
    await this.#parts.jobs.enqueueIn(transaction, deliverJob, { webhook }, { key: deliverKey(webhook) });
  }
}
