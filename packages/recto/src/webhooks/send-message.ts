import { codeOf, connect, isRedirect } from '../base/net/guarded-request.ts';
import { type OutboundTargets, TargetRefused } from '../base/net/outbound-targets.ts';
import type { DeliveryAttempt } from './webhook.ts';

export interface OutgoingMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How an attempt ended, and how long the receiver asks to be left alone. */
export interface Sent extends Omit<DeliveryAttempt, 'at'> {
  readonly retryAfterMs: number | null;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  readonly now: number;
  /** Default 15,000. */
  readonly timeoutMs?: number;
  /** Certificates to trust besides those of the system. */
  readonly ca?: string;
}

const defaultTimeoutMs = 15_000;
/** How much of a response is read, to show why it failed. */
const mostBytes = 1_024;
const longestRetryAfterMs = 24 * 3_600_000;

/** Sends one message, to an address that has just been checked. Redirects are not followed. Never rejects. */
export async function sendMessage(
  targets: OutboundTargets,
  message: OutgoingMessage,
  options: SendOptions,
): Promise<Sent> {
  const started = performance.now();
  const timeUp = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs);
  const signal = AbortSignal.any([options.signal, timeUp]);
  const ended = (status: number | null, error: string | null, retryAfterMs: number | null = null): Sent => ({
    ...{ status, error, retryAfterMs },
    durationMs: Math.round(performance.now() - started),
  });
  try {
    const target = await targets.check(message.url);
    const headers = { ...message.headers, 'Content-Type': 'application/json' };
    const { ca } = options;
    const sent = { method: 'POST', body: message.body, headers, signal, ...(ca === undefined ? {} : { ca }) } as const;
    const response = await connect(target, sent);
    const { status } = response;
    if (response.ok) {
      await response.body?.cancel();
      return ended(status, null);
    }
    const text = await beginning(response);
    const reason = `${isRedirect(status) ? 'Redirects are not followed' : 'The response is not a success'}: ${status}`;
    const retryAfter = retryAfterOf(response.headers.get('retry-after'), options.now);
    return ended(status, text === '' ? `${reason}.` : `${reason}. ${text}`, retryAfter);
  } catch (error) {
    if (timeUp.aborted) return ended(null, 'No response in time.');
    if (error instanceof TargetRefused) return ended(null, error.message);
    return ended(null, `The connection failed: ${codeOf(error)}.`);
  }
}

/** The first characters of a body, on one line. The rest is not read. */
async function beginning(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  try {
    while (reader !== undefined && size < mostBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value.subarray(0, mostBytes - size));
      size += value.length;
    }
  } catch {
    // The status is known; what else the receiver says may be cut off.
  }
  await reader?.cancel().catch(() => undefined);
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** `120`, or an HTTP date (RFC 9110, section 10.2.3). */
export function retryAfterOf(text: string | null, now: number): number | null {
  if (text === null) return null;
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, longestRetryAfterMs);
}
