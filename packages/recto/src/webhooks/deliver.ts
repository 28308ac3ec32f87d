import Type from 'typebox';
import { system } from '../base/caller.ts';
import type { OutboundTargets } from '../base/net/outbound-targets.ts';
import type { Database } from '../database/database.ts';
import { type JobEnd, type JobWork, jobKind } from '../jobs/job-kind.ts';
import { nextAttempt } from './delivery-schedule.ts';
import type { DeliveryOutcome, DeliveryStore } from './delivery-store.ts';
import { testMessage } from './new-delivery.ts';
import { type Sent, sendMessage } from './send-message.ts';
import type { Delivery, Webhook } from './webhook.ts';
import { logWebhook } from './webhook-event.ts';
import { signedHeaders } from './webhook-signature.ts';
import type { WebhookStore } from './webhook-store.ts';

/** Sends what waits for one webhook. One such job for each webhook, so that none waits for another. */
export const deliverJob = {
  name: 'webhooks.deliver',
  payload: Type.Object({ webhook: Type.String() }),
  concurrency: 1_000,
};

/** The key of that job. */
export const deliverKey = (webhook: string): string => `webhook:${webhook}`;

/** How many messages one webhook is sent at a time, each about another record. */
const atOnce = 10;

export type DeliveryResult = 'delivered' | 'retried' | 'failed' | 'disabled';

export interface DeliverParts {
  readonly database: Database;
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly targets: OutboundTargets;
  /** Called for each attempt. */
  readonly onResult: (result: DeliveryResult) => void;
}

export const deliverKind = (parts: DeliverParts) =>
  jobKind(deliverJob, (work) => deliverDue(parts, work.payload.webhook, work));

/** Sends all that is due, the changes of one record in their order, and comes back when more is. */
async function deliverDue(parts: DeliverParts, id: string, work: JobWork): Promise<JobEnd | undefined> {
  const { webhooks, deliveries } = parts;
  while (!work.signal.aborted) {
    const webhook = await webhooks.get(id);
    if (webhook === undefined || !webhook.enabled) return undefined;
    const due = await deliveries.due(id, work.now(), atOnce);
    if (due.length === 0) {
      const againAt = await deliveries.nextAt(id);
      return againAt === null ? undefined : { againAt };
    }
    const attempts = await Promise.allSettled(due.map((delivery) => attempt(parts, webhook, delivery, work)));
    // Only once none is on its way any more: the next run may be another process's.
    const failed = attempts.find((each) => each.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
  return { againAt: work.now() };
}

async function attempt(parts: DeliverParts, webhook: Webhook, delivery: Delivery, work: JobWork): Promise<void> {
  const { database, webhooks, deliveries, targets } = parts;
  const { id, body } = delivery;
  const at = work.now();
  const message = { url: webhook.url, body, headers: signedHeaders(webhook, { id, body, at }) };
  const sent = await sendMessage(targets, message, { signal: work.signal, now: at });
  // It was cut off by this service, so it says nothing about the receiver.
  if (work.signal.aborted && sent.status === null) return;
  const { status, error, durationMs } = sent;
  const outcome: DeliveryOutcome = {
    ...judged(delivery, sent, work.now()),
    attempt: { at, status, error, durationMs },
  };
  const isGone = status === 410;
  await database.transaction(async (transaction) => {
    await deliveries.finish(transaction, delivery, outcome);
    if (isGone && (await webhooks.disable(transaction, webhook.id, goneReason, work.now())))
      logWebhook(transaction, { id: webhook.id, action: 'update', changed: ['enabled'], by: system, now: work.now() });
  });
  parts.onResult(isGone ? 'disabled' : outcome.state === 'pending' ? 'retried' : outcome.state);
}

const goneReason = 'It answered 410 Gone.';

function judged(
  { attempts, type }: Delivery,
  { status, error, retryAfterMs }: Sent,
  now: number,
): Pick<DeliveryOutcome, 'state' | 'nextAt'> {
  if (error === null) return { state: 'delivered', nextAt: null };
  // A person who tries a webhook out waits for the result.
  const isLast = status === 410 || type === testMessage;
  const nextAt = isLast ? null : nextAttempt(attempts + 1, retryAfterMs, now);
  return { state: nextAt === null ? 'failed' : 'pending', nextAt };
}
