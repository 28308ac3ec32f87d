import { RectoError, statusOf } from './recto-error.ts';
import { either, type Send, sleep, type TokenSource } from './transport.ts';

export interface EventsOptions {
  /** Plurals of content types. Default: all that the caller may read. */
  readonly types?: readonly string[];
  /** An expression over the fields of the types. */
  readonly filter?: string;
  /** The language in which records are read, and in which the filter and rules see them. Default: the first of the service. */
  readonly language?: string;
  /** Whether other languages stand in for values that this one lacks. Default: yes. */
  readonly fallback?: boolean;
  /** Only changes of what these languages say, and of what all share. Default: those that are shown. */
  readonly languages?: readonly string[];
  /** Goes on after this event, such as the last one that a program has stored. */
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** Nobody asked for it: that the session has ended is left to the next request without this, and `onEnd` hears nothing. */
  readonly background?: boolean;
}

/** A change of a record, as the caller may see it. */
export type ChangeEvent =
  | {
      readonly seq: number;
      readonly type: string;
      readonly id: string;
      readonly action: 'create' | 'update';
      /** The language whose words have changed, where it is one alone. */
      readonly language?: string;
      readonly record: Readonly<Record<string, unknown>>;
    }
  | { readonly seq: number; readonly type: string; readonly id: string; readonly action: 'delete' }
  /** Events were missed that the service no longer has: read anew what matters. */
  | { readonly seq: number; readonly action: 'reset' };

/** After a broken connection, the first pause in milliseconds; doubled each time, to 30 seconds; each pause is a half shorter or longer at random. */
const firstPause = 500;

/** A stream without any message, heartbeats included, for this long is broken, in milliseconds. */
const silence = 45_000;

/**
 * The changes from now on, or after an event. It connects again by itself and goes on where it was; it ends when `signal` aborts or the loop
 * over it does, and throws `RectoError` when the service refuses, or the session has ended that it began with.
 */
export async function* events(
  send: Send,
  { after: seq, signal, background, ...query }: EventsOptions,
  token: TokenSource['token'],
): AsyncGenerator<ChangeEvent, void> {
  let began: boolean | undefined;
  for (let pause = firstPause; ; ) {
    const silent = new AbortController();
    const ending = either(signal, silent.signal);
    const broken = (): void => silent.abort();
    let timer = setTimeout(broken, silence);
    try {
      const signedIn = await token({ background });
      began ??= !!signedIn;
      if (began && !signedIn) throw new RectoError(401, { code: 'authentication_required' });
      const response = await send(
        'GET',
        '/events',
        {
          query: { ...query },
          headers: { Accept: 'text/event-stream', 'Last-Event-ID': seq?.toString() },
          signal: ending,
          timeout: 0,
          background,
        },
        async (answer) => answer,
      );
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      // A `fetch` of the program's own may not end the body with the signal.
      ending.onabort = () => reader?.cancel().catch(() => 0);
      for (let text = ''; ; ) {
        clearTimeout(timer);
        timer = setTimeout(broken, silence);
        const read = await reader?.read();
        if (read?.done !== false) break;
        pause = firstPause;
        const messages = (text + read.value).split('\n\n');
        text = messages.pop() ?? '';
        for (const message of messages) {
          seq = Number(/^id: (.*)/m.exec(message)?.[1] ?? seq);
          const [, action, data = ''] = /^event: (\w+)\ndata: (.*)/m.exec(message) ?? [];
          // The service's own form of an event; a reset has only its name.
          if (action && action !== 'ping') yield { action, ...JSON.parse(data), seq };
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (/^4(?!29)/.test(`${statusOf(error)}`)) throw error;
    } finally {
      clearTimeout(timer);
      broken();
    }
    await sleep(pause * (0.5 + Math.random()), signal);
    pause = Math.min(pause * 2, 30_000);
  }
}
