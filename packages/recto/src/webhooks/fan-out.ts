import type { Caller } from '../base/caller.ts';
import type { Logger } from '../base/logger.ts';
import { Problem } from '../base/problem.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import { isOfLanguages, languageOfEvent } from '../events/event-languages.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Records } from '../records/records.ts';
import type { ChangeEvent } from './change-event.ts';
import { deliverJob, deliverKey } from './deliver.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { changeDelivery, releaseDelivery } from './new-delivery.ts';
import type { Delivery, Webhook } from './webhook.ts';
import type { WebhookStore } from './webhook-store.ts';

/** The event log, and how far webhooks have come in it. */
export interface ChangeSource {
  /** The number of the last event. */
  last(): Promise<number>;
  /** Begins at the end of the log where nobody has begun. */
  position(): Promise<number>;
  /** Some of the events behind a number, in their order. */
  read(after: number): Promise<readonly ChangeEvent[]>;
  /** The changes that a release has made, which the log has ahead of its own event. */
  partsOf(release: ChangeEvent): Promise<readonly ChangeEvent[]>;
  /** Moves the position as part of a transaction; false where another process has. */
  move(transaction: Transaction, from: number, to: number): Promise<boolean>;
}

export interface FanOutParts {
  readonly database: Database;
  readonly records: Records;
  readonly jobs: Jobs;
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly source: ChangeSource;
  readonly log: Logger;
}

/** Makes deliveries of changes: for each change, one for each webhook that asks for it. */
export class FanOut {
  readonly #parts: FanOutParts;
  /** A position that was read, or an earlier one. */
  #position = -1;

  constructor(parts: FanOutParts) {
    this.#parts = parts;
  }

  /** Whether there are changes that an enabled webhook has not been considered for. */
  async isDue(): Promise<boolean> {
    const { source, webhooks } = this.#parts;
    if (!(await webhooks.known()).some(({ enabled }) => enabled)) return false;
    const last = await source.last();
    if (last <= this.#position) return false;
    this.#position = await source.position();
    return last > this.#position;
  }

  /** Goes through the log to its end. Ends early when `signal` is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { source, webhooks, database, deliveries, jobs } = this.#parts;
    while (!signal.aborted) {
      const position = await source.position();
      const end = await source.last();
      if (end <= position) return;
      // Where nobody asks, the log need not be read, nor followed for as long as others write to it.
      if (enabledOf(await webhooks.all()).length === 0) return this.#skip(position, end);
      const events = await source.read(position);
      // Only now: a webhook that was made before one of the events is found.
      const enabled = enabledOf(await webhooks.all());
      const to = events.at(-1)?.seq;
      if (to === undefined) return;
      const made = await this.#deliveriesOf(events, enabled);
      await database.transaction(async (transaction) => {
        // One that was changed or removed meanwhile may not get what was made for it: private fields, for instance.
        if (!Bun.deepEquals(enabledOf(await webhooks.all(transaction)), enabled)) return;
        if (!(await source.move(transaction, position, to))) return;
        for (const delivery of made) await deliveries.insert(transaction, delivery);
        for (const webhook of new Set(made.map((delivery) => delivery.webhook)))
          await jobs.enqueueIn(transaction, deliverJob, { webhook }, { key: deliverKey(webhook) });
      });
    }
  }

  /** Enqueues the delivery of what waits and has no job, as after a job that failed. */
  async sweep(): Promise<void> {
    const { deliveries, jobs, webhooks } = this.#parts;
    await deliveries.unblock(jobs.now());
    const enabled = new Set(enabledOf(await webhooks.all()).map(({ id }) => id));
    for (const webhook of await deliveries.webhooksWaiting()) {
      if (enabled.has(webhook)) await jobs.enqueue(deliverJob, { webhook }, { key: deliverKey(webhook) });
    }
  }

  async #skip(from: number, to: number): Promise<void> {
    const { source, webhooks, database } = this.#parts;
    await database.transaction(async (transaction) => {
      if (enabledOf(await webhooks.all(transaction)).length === 0) await source.move(transaction, from, to);
    });
  }

  async #deliveriesOf(events: readonly ChangeEvent[], webhooks: readonly Webhook[]): Promise<readonly Delivery[]> {
    const { records, jobs } = this.#parts;
    const shown = new Map<string, Promise<string>>();
    const made: Delivery[] = [];
    for (const event of events) {
      made.push(...(await this.#releasesOf(event, webhooks)));
      const type = records.types.find(event.type);
      if (type === undefined) continue;
      for (const webhook of webhooks) {
        if ((webhook.releases && event.release !== null) || !asksFor(webhook, type, event)) continue;
        if (!(await this.#holds(webhook, type, event))) continue;
        const record = event.action === 'delete' ? 'null' : await this.#shownOnce(shown, webhook, type, event);
        const language = languageOfEvent(type, event);
        made.push(changeDelivery(webhook, { typeName: typeNameOf(type), event, language, record }, jobs.now()));
      }
    }
    return made;
  }

  /** What is sent of a release that was published, to webhooks that get it as one. */
  async #releasesOf(event: ChangeEvent, webhooks: readonly Webhook[]): Promise<readonly Delivery[]> {
    if (event.type !== releaseEvents || event.action !== 'publish') return [];
    const asking = webhooks.filter(({ releases, since }) => releases && event.seq > since);
    const parts = asking.length === 0 ? [] : await this.#parts.source.partsOf(event);
    const made: Delivery[] = [];
    for (const webhook of asking) {
      const items = [];
      for (const part of parts) {
        const type = this.#parts.records.types.find(part.type);
        if (type === undefined || !asksFor(webhook, type, part) || !(await this.#holds(webhook, type, part))) continue;
        items.push({ type: typeNameOf(type), id: part.record, action: part.action, seq: part.seq });
      }
      if (items.length > 0) made.push(releaseDelivery(webhook, { event, items }, this.#parts.jobs.now()));
    }
    return made;
  }

  /** Whether the record is one that the webhook's filter asks for. One that is gone cannot be asked, and is sent without its content. */
  async #holds(webhook: Webhook, type: ContentType, event: ChangeEvent): Promise<boolean> {
    const { records, log } = this.#parts;
    if (webhook.filter === null || event.action === 'delete') return true;
    const search = new URLSearchParams({
      id: event.record,
      filter: webhook.filter,
      fields: 'id',
      page_size: '1',
      skip_total: 'true',
    });
    try {
      const { body } = await records.list(type, 'admin', callerOf(webhook, event), search.toString());
      return parsedItems(body).length > 0;
    } catch (error) {
      if (isOutage(error)) throw error;
      // The type has changed since, and no longer fits the filter.
      log.warn(
        { webhook: webhook.id, type: type.singular, err: error },
        'the filter of a webhook does not fit its type',
      );
      return false;
    }
  }

  /** What webhooks with the same view are sent of a record is read once. */
  #shownOnce(
    shown: Map<string, Promise<string>>,
    webhook: Webhook,
    type: ContentType,
    event: ChangeEvent,
  ): Promise<string> {
    const key = JSON.stringify([webhook.includePrivate, type.singular, event.tenant, event.record]);
    const record = shown.get(key) ?? this.#show(webhook, type, event);
    shown.set(key, record);
    return record;
  }

  /** The record as JSON text; `null` where it is gone or hidden. */
  async #show(webhook: Webhook, type: ContentType, event: ChangeEvent): Promise<string> {
    const view = webhook.includePrivate ? 'admin' : 'get';
    const id = event.record;
    try {
      const answer = await this.#parts.records.get({ type, view, caller: callerOf(webhook, event), id, search: '' });
      return textOf(answer.body);
    } catch (error) {
      if (isOutage(error)) throw error;
      // One record that cannot be shown must not hold up all others.
      if (!(error instanceof Problem)) this.#parts.log.error({ webhook: webhook.id, record: id, err: error }, notShown);
      return 'null';
    }
  }
}

/** The type of events of releases; see `releases/releases.ts`. */
const releaseEvents = 'recto:release';

const enabledOf = (webhooks: readonly Webhook[]): readonly Webhook[] => webhooks.filter(({ enabled }) => enabled);

const asksFor = ({ since, types, actions, languages }: Webhook, type: ContentType, event: ChangeEvent): boolean =>
  event.seq > since &&
  (types.length === 0 || types.includes(event.type)) &&
  (actions.length === 0 || actions.includes(event.action)) &&
  (languages.length === 0 || isOfLanguages(type, event, new Set(languages)));

const notShown = 'a record cannot be shown to a webhook; it is sent without its content';

/** An admin who visits the record's tenant. */
const callerOf = ({ id }: Webhook, { tenant }: ChangeEvent): Caller => ({
  kind: 'api_token',
  id,
  role: 'admin',
  ...(tenant === null ? {} : { visited: tenant }),
});

/** As the type stands in addresses. */
export const typeNameOf = ({ kind, singular, plural }: Pick<ContentType, 'kind' | 'singular' | 'plural'>): string =>
  kind === 'single' ? singular : plural;

const isOutage = (error: unknown): boolean => error instanceof Problem && error.status === 503;

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

/** The items of a list's answer. */
function parsedItems(body: string | Uint8Array): readonly unknown[] {
  const { items }: { readonly items: readonly unknown[] } = JSON.parse(textOf(body));
  return items;
}
