/** What a stream sends. */
export interface StreamMessage {
  /** The number of the event that it is about. */
  readonly seq: number;
  /** As server-sent events have it (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
  readonly text: string;
}

/** The event of a record that is visible. `record` is JSON, which has no line breaks outside of its strings. */
export const changeMessage = (
  event: 'create' | 'update',
  {
    seq,
    type,
    id,
    language,
    record,
  }: {
    readonly seq: number;
    readonly type: string;
    readonly id: string;
    /** The one whose words were changed; null: none or several. */
    readonly language: string | null;
    readonly record: string;
  },
): StreamMessage => {
  const head = JSON.stringify({ type, id, action: event, ...(language === null ? {} : { language }) });
  return { seq, text: `id: ${seq}\nevent: ${event}\ndata: ${head.slice(0, -1)},"record":${oneLine(record)}}\n\n` };
};

/** The event of a record that is no longer visible. */
export const deleteMessage = (seq: number, type: string, id: string): StreamMessage => ({
  seq,
  text: `id: ${seq}\nevent: delete\ndata: ${JSON.stringify({ type, id, action: 'delete' })}\n\n`,
});

/** The caller's notifications are others than before, or read. */
export const notificationMessage = (seq: number): StreamMessage => ({
  seq,
  text: `id: ${seq}\nevent: notification\ndata: {"type":"recto:notification","action":"update"}\n\n`,
});

/** What is before `seq` is not sent: the client loads what it shows again. */
export const resetText = (seq: number): string => `id: ${seq}\nevent: reset\ndata: {}\n\n`;

/** The connection lives. */
export const pingText = 'event: ping\ndata: {}\n\n';

/** All up to `seq` has been sent: the client continues behind it. */
export const positionText = (seq: number): string => `id: ${seq}\n\n`;

/** The client continues behind `seq`, after a second, if it loses the connection. */
export const openingText = (seq: number): string => `retry: 1000\n${positionText(seq)}`;

/** Whitespace between the parts of a JSON text means nothing. */
const oneLine = (json: string): string => json.replaceAll(/[\r\n]/g, ' ');
