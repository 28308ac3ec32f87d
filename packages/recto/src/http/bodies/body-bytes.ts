import { badRequest, Problem } from '../../base/problem.ts';

export interface BodyLimits {
  /** The most bytes. */
  readonly bytes: number;
  /** The longest time until the last byte is there. */
  readonly milliseconds: number;
}

/**
 * The bytes of a request's body, none for no body. 413 as soon as there are more than the limit, announced or not; 408 when they take
 * too long, so that a client that sends a byte now and then does not hold a connection and its memory for ever.
 */
export async function bodyBytes(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const announced = announcedBytes(request, limits.bytes);
  if (announced === null && request.body === null) return new Uint8Array();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(bodyTooSlow(limits.milliseconds)), limits.milliseconds);
  try {
    return await Promise.race([allBytes(request, announced, limits.bytes), late.promise]);
  } catch (error) {
    throw readingProblem(error);
  } finally {
    clearTimeout(timer);
  }
}

async function allBytes(request: Request, announced: string | null, limit: number): Promise<Uint8Array> {
  // The runtime reads no more than was announced.
  if (announced !== null) return within(limit, await request.bytes());
  return await streamedBytes(request, limit);
}

/** The same as they arrive. A reader that stops early reads no more of them. */
export async function* bodyChunks(request: Request, limit: number): AsyncGenerator<Uint8Array, void, undefined> {
  announcedBytes(request, limit);
  if (request.body === null) return;
  const reader = request.body.getReader();
  let length = 0;
  let done = false;
  try {
    for (;;) {
      const next = await reader.read();
      done = next.done;
      if (next.done) return;
      length += next.value.length;
      if (length > limit) throw bodyTooLarge(limit);
      yield next.value;
    }
  } catch (error) {
    throw readingProblem(error);
  } finally {
    if (!done) await reader.cancel().catch(() => undefined);
  }
}

async function streamedBytes(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyChunks(request, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What `Content-Length` says; null where it does not. Throws 413 where that is too much. */
function announcedBytes(request: Request, limit: number): string | null {
  const announced = request.headers.get('content-length');
  if (announced !== null && Number(announced) > limit) throw bodyTooLarge(limit);
  return announced;
}

const readingProblem = (error: unknown): unknown =>
  error instanceof Problem
    ? error
    : badRequest('body_unreadable', 'The connection ended before the whole body was there.');

function within(limit: number, bytes: Uint8Array): Uint8Array {
  if (bytes.length > limit) throw bodyTooLarge(limit);
  return bytes;
}

/** The connection is closed: what is still to come of the body would be read as the next request. */
const bodyTooSlow = (milliseconds: number): Problem =>
  new Problem(408, 'request_timeout', `The body was not there within ${milliseconds / 1000} seconds.`, {
    headers: { Connection: 'close' },
  });

export const bodyTooLarge = (limit: number): Problem =>
  new Problem(413, 'body_too_large', `The body is larger than ${limit} bytes, which is the most that is taken.`);

/** Rejects compressed bodies: nothing here decodes them. */
export function rejectEncoding({ headers }: Request): void {
  const coding = headers.get('content-encoding');
  if (coding !== null && coding.toLowerCase() !== 'identity')
    throw unsupportedMediaType('The body must not be compressed.');
}

export const unsupportedMediaType = (detail: string): Problem => new Problem(415, 'unsupported_media_type', detail);
