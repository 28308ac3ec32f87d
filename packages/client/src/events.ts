import { RectoError } from './recto-error.ts';
import { sleep, type Transport } from './transport.ts';

export interface EventsOptions {
  /** Plurals of content types. Default: all that the caller may read. */
  readonly types?: readonly string[];
  /** An expression over the fields of the types. */
  readonly filter?: string;
  /** Goes on after this event, such as the last one that a program has stored. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

/** A change of a record, as the caller may see it. */
export type ChangeEvent =
  | {
      readonly seq: number;
      readonly type: string;
      readonly id: string;
      readonly action: 'create' | 'update';
      readonly record: Readonly<Record<string, unknown>>;
    }
  | { readonly seq: number; readonly type: string; readonly id: string; readonly action: 'delete' }
  /** Events were missed that the service no longer has: read anew what matters. */
  | { readonly seq: number; readonly action: 'reset' };

/** One message of a stream of Server-Sent Events. */
interface Message {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** After a broken connection, the first pause in milliseconds; doubled to the longest. */
const firstPause = 500;
const longestPause = 30_000;

/** A stream without any message, heartbeats included, for this long is broken, in milliseconds. */
const silence = 45_000;

/**
 * The changes from now on, or after an event. It connects again by itself and goes on where it was; it ends when `signal` aborts or the loop
 * over it does, and throws `RectoError` when the service refuses.
 */
export async function* events(transport: Transport, options: EventsOptions): AsyncGenerator<ChangeEvent, void> {
  const { types, filter, signal } = options;
  let last = options.after;
  let pause = firstPause;
  for (;;) {
    const ending = new AbortController();
    const abort = (): void => ending.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      const response = await transport.stream('/events', {
        query: { types, filter },
        headers: { Accept: 'text/event-stream', 'Last-Event-ID': last === undefined ? undefined : String(last) },
        signal: ending.signal,
      });
      for await (const message of messages(response, ending)) {
        pause = firstPause;
        if (message.id !== undefined) last = Number(message.id);
        const event = read(message);
        if (event !== undefined) yield event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      const lost = !(error instanceof RectoError) || error.status === 0 || error.status >= 500;
      if (!lost) throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      ending.abort();
    }
    await sleep(pause * (0.5 + Math.random() / 2), signal);
    pause = Math.min(pause * 2, longestPause);
  }
}

function read({ id, event, data }: Message): ChangeEvent | undefined {
  if (event === 'reset') return { seq: Number(id), action: 'reset' };
  if (event !== 'create' && event !== 'update' && event !== 'delete') return undefined;
  // The service's own form of an event (Server-Sent Events of the REST API).
  return { ...(JSON.parse(data) as Omit<ChangeEvent & { action: 'update' }, 'seq'>), seq: Number(id) };
}

/** Splits a stream into its messages (the HTML standard, "Server-sent events"). */
async function* messages(response: Response, ending: AbortController): AsyncGenerator<Message, void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let text = '';
  try {
    for (;;) {
      const timer = setTimeout(() => ending.abort(), silence);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      const blocks = (text + value).split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) yield message(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function message(block: string): Message {
  const fields: Record<string, string> = {};
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    fields[name] = fields[name] !== undefined && name === 'data' ? `${fields[name]}\n${value}` : value;
  }
  return { id: fields.id, event: fields.event ?? 'message', data: fields.data ?? '' };
}
