import { newId } from '../base/ids.ts';
import type { ChangeEvent } from './change-event.ts';
import type { Delivery, Webhook } from './webhook.ts';

/** How long a body may be; beyond it, the record is left out. */
const longestBody = 1_048_576;

/** The type of a message that a person asks for. */
export const testMessage = 'webhook.test';

/** What a change is sent with. */
export interface ChangeMessage {
  /** `articles`: as in addresses. */
  readonly typeName: string;
  readonly event: ChangeEvent;
  /** The tag of the one language whose words it changes; null: it changes none, or several. */
  readonly language: string | null;
  /** The record as JSON text; `null` for one that is gone or hidden. */
  readonly record: string;
}

/** The message about a change to a webhook. It is the same, under the same id, whoever makes it and how often. */
export function changeDelivery(
  webhook: Webhook,
  { typeName, event, language, record }: ChangeMessage,
  now: number,
): Delivery {
  const { seq, action, changed, at } = event;
  const type = `${typeName}.${action}`;
  const bodyWith = (text: string, omitted: object): string => {
    const said = language === null ? {} : { language };
    const head = JSON.stringify({ seq, type: typeName, id: event.record, action, changed, ...said, ...omitted });
    return `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(at)},"data":${head.slice(0, -1)},"record":${text}}}`;
  };
  const whole = bodyWith(record, {});
  const body = Buffer.byteLength(whole) > longestBody ? bodyWith('null', { record_omitted: true }) : whole;
  return waiting(
    { id: messageId(webhook.id, String(seq)), webhook: webhook.id, seq, type, record: event.record, body },
    now,
  );
}

/** A record that a release has changed. */
export interface ReleasedChange {
  /** `articles`: as in addresses. */
  readonly type: string;
  readonly id: string;
  readonly action: ChangeEvent['action'];
  readonly seq: number;
}

/** The one message about a release to a webhook, without the contents of its records: there may be a thousand. */
export function releaseDelivery(
  webhook: Webhook,
  { event, items }: { readonly event: ChangeEvent; readonly items: readonly ReleasedChange[] },
  now: number,
): Delivery {
  const { seq, record, at } = event;
  const type = 'release.publish';
  const bodyWith = (more: object): string =>
    JSON.stringify({ type, timestamp: at, data: { seq, type: 'release', id: record, action: 'publish', ...more } });
  const whole = bodyWith({ items });
  const body = Buffer.byteLength(whole) > longestBody ? bodyWith({ items: [], items_omitted: true }) : whole;
  return waiting({ id: messageId(webhook.id, String(seq)), webhook: webhook.id, seq, type, record, body }, now);
}

/** The body of a message without the record that is in it. */
export function withoutRecord(body: string): string {
  const message = JSON.parse(body);
  if (Object(message.data.record) !== message.data.record) return body;
  const { record: _, ...data } = message.data;
  return JSON.stringify({ ...message, data: { ...data, record_omitted: true, record: null } });
}

/** A message without a change, to try a webhook out. */
export function testDelivery(webhook: Webhook, now: number): Delivery {
  const body = JSON.stringify({ type: testMessage, timestamp: new Date(now).toISOString(), data: {} });
  const id = messageId(webhook.id, newId());
  return waiting({ id, webhook: webhook.id, seq: 0, type: testMessage, record: id, body }, now);
}

/** `msg_` and 128 bits that follow from what is sent. */
const messageId = (webhook: string, what: string): string =>
  `msg_${new Bun.CryptoHasher('sha256').update(`${webhook} ${what}`).digest('hex').slice(0, 32)}`;

const waiting = (
  delivery: Pick<Delivery, 'id' | 'webhook' | 'seq' | 'type' | 'record' | 'body'>,
  now: number,
): Delivery => ({
  ...delivery,
  state: 'pending',
  attempts: 0,
  nextAt: now,
  last: null,
  createdAt: now,
  endedAt: null,
});
