import type { Logger } from '../base/logger.ts';
import { OutboundTargets } from '../base/net/outbound-targets.ts';
import type { Settings } from '../config/settings.ts';
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
  readonly records: Records;
  readonly events: EventLog;
  readonly jobs: Jobs;
}

/** How long deliveries are kept after their end, in days. */
export const deliveriesKeptDays = { delivered: 7, failed: 30 } as const;
const dayMs = 86_400_000;

/** Events that are dealt with in one transaction. */
const slice = 100;

/** Attempts of this process by their results, for the metrics. */
const results = new Map<DeliveryResult, number>();
export const deliveryResults: ReadonlyMap<DeliveryResult, number> = results;

/** Webhooks for one set of content types: what people do with them, and the background work. */
export class WebhookService {
  readonly webhooks: Webhooks;
  readonly targets: OutboundTargets;
  readonly kinds: readonly JobKind[];

  constructor({ settings, log, records, events, jobs }: WebhookServiceParts) {
    const { database } = records;
    const store = new WebhookStore(database);
    const deliveries = new DeliveryStore(database);
    const source = sourceOf(events);
    this.targets = new OutboundTargets(settings.webhooksAllow);
    const lastEvent = async (): Promise<number> => {
      // From here on, the log is kept for webhooks.
      await source.position();
      return events.last();
    };
    this.webhooks = new Webhooks({ database, jobs, store, deliveries, lastEvent });
    const fanOut = new FanOut({ database, records, jobs, webhooks: store, deliveries, source, log });
    const onResult = (result: DeliveryResult): void => void results.set(result, (results.get(result) ?? 0) + 1);
    const earlier = async (now: number): Promise<number | null> => ((await fanOut.isDue()) ? now : null);
    this.kinds = [
      periodicJob('webhooks.fan_out', { cron: '3 * * * *', earlier }, async ({ signal }) => {
        await fanOut.run(signal);
        return undefined;
      }),
      deliverKind({ database, webhooks: store, deliveries, targets: this.targets, onResult }),
      periodicJob('webhooks.prune', { cron: '47 * * * *' }, async ({ now, signal }) => {
        await fanOut.sweep();
        for (const state of ['delivered', 'failed'] as const)
          await deliveries.prune(state, now() - deliveriesKeptDays[state] * dayMs, signal);
        return undefined;
      }),
    ];
  }
}

/** The log, read under the name of webhooks. */
function sourceOf(events: EventLog): ChangeSource {
  const reader = events.reader('webhooks');
  return {
    last: () => events.last(),
    position: () => reader.begin(),
    read: (after) => events.read({ after, limit: slice }),
    move: (transaction, from, to) => reader.moveIn(transaction, from, to),
  };
}
