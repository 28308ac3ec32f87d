import { sql } from 'kysely';
import type { Logger } from '../base/logger.ts';
import { OutboundTargets } from '../base/net/outbound-targets.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import type { EventLog } from '../events/event-log.ts';
import { type JobKind, periodicJob } from '../jobs/job-kind.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Records } from '../records/records.ts';
import { type DeliveryResult, deliverKind } from './deliver.ts';
import { DeliveryStore } from './delivery-store.ts';
import { type ChangeSource, FanOut } from './fan-out.ts';
import { WebhookStore } from './webhook-store.ts';
import { Webhooks } from './webhooks.ts';

export interface WebhookServiceParts {
  readonly settings: Pick<Settings, 'webhooksAllow'>;
  readonly log: Logger;
  readonly database: Database;
  readonly events: EventLog;
  readonly jobs: Jobs;
}

/** How long deliveries are kept after their end, in days. */
export const deliveriesKeptDays = { delivered: 7, failed: 30 } as const;
const dayMs = 86_400_000;

/** Events that are dealt with in one transaction. */
const slice = 100;

/** The webhooks of one service: what people do with them, and the background work. */
export class WebhookService {
  readonly webhooks: Webhooks;
  readonly targets: OutboundTargets;
  readonly #parts: WebhookServiceParts;
  readonly #store: WebhookStore;
  readonly #source: ChangeSource;
  /** Attempts of this service in this process, by their results. */
  readonly #results = new Map<DeliveryResult, number>();

  constructor(parts: WebhookServiceParts) {
    const { settings, database, events, jobs } = parts;
    this.#parts = parts;
    this.#store = new WebhookStore(database);
    const source = sourceOf(events);
    this.#source = source;
    this.targets = new OutboundTargets(settings.webhooksAllow);
    const lastEvent = async (): Promise<number> => {
      // From here on, the log is kept for webhooks.
      await source.position();
      return events.last();
    };
    const deliveries = new DeliveryStore(database);
    this.webhooks = new Webhooks({ database, jobs, store: this.#store, deliveries, lastEvent });
  }

  get results(): ReadonlyMap<DeliveryResult, number> {
    return this.#results;
  }

  /** The background work, with the records of one set of content types. */
  kinds(records: Records): readonly JobKind[] {
    const { database, jobs, log } = this.#parts;
    const { deliveries } = this.webhooks;
    const parts = { database, webhooks: this.#store, deliveries };
    const fanOut = new FanOut({ ...parts, records, jobs, source: this.#source, log });
    const onResult = (result: DeliveryResult): void =>
      void this.#results.set(result, (this.#results.get(result) ?? 0) + 1);
    const earlier = async (now: number): Promise<number | null> => ((await fanOut.isDue()) ? now : null);
    return [
      periodicJob('webhooks.fan_out', { cron: '3 * * * *', earlier }, async ({ signal }) => {
        await fanOut.run(signal);
        return undefined;
      }),
      deliverKind({ ...parts, targets: this.targets, onResult }),
      periodicJob('webhooks.prune', { cron: '47 * * * *' }, async ({ now, signal }) => {
        await fanOut.sweep();
        for (const state of ['delivered', 'failed'] as const)
          await deliveries.prune(state, now() - deliveriesKeptDays[state] * dayMs, signal);
        return undefined;
      }),
    ];
  }
}

/** The most changes of a release that a message names, and how far ahead of its event they are looked for. */
const mostParts = 10_000;
const farthestPart = 20_000;

/** The log, read under the name of webhooks. */
function sourceOf(events: EventLog): ChangeSource {
  const reader = events.reader('webhooks');
  return {
    last: () => events.last(),
    position: () => reader.begin(),
    read: (after) => events.read({ after, limit: slice }),
    partsOf: ({ seq, record }) => {
      const range = { after: Math.max(0, seq - farthestPart), through: seq, limit: mostParts };
      return events.read({ ...range, where: [sql<boolean>`"via" = ${`release ${record}`}`] });
    },
    move: (transaction, from, to) => reader.moveIn(transaction, from, to),
  };
}
