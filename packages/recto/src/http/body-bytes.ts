import { badRequest, Problem } from '../base/problem.ts';

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
  const announced = request.headers.get('content-length');
  if (announced !== null && Number(announced) > limits.bytes) throw bodyTooLarge(limits.bytes);
  if (announced === null && request.body === null) return new Uint8Array();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(bodyTooSlow(limits.milliseconds)), limits.milliseconds);
  try {
    return await Promise.race([allBytes(request, limits.bytes), late.promise]);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw badRequest('body_unreadable', 'The connection ended before the whole body was there.');
  } finally {
    clearTimeout(timer);
  }
}

async function allBytes(request: Request, limit: number): Promise<Uint8Array> {
  // The runtime reads no more than was announced.
  if (request.headers.has('content-length')) return within(limit, await request.bytes());
  return request.body === null ? new Uint8Array() : await streamedBytes(request.body, limit);
}

async function streamedBytes(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, length);
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw bodyTooLarge(limit);
    }
    chunks.push(value);
  }
}

function within(limit: number, bytes: Uint8Array): Uint8Array {
  if (bytes.length > limit) throw bodyTooLarge(limit);
  return bytes;
}

/** The connection is closed: what is still to come of the body would be read as the next request. */
const bodyTooSlow = (milliseconds: number): Problem =>
  new Problem(408, 'request_timeout', `The body was not there within ${milliseconds / 1000} seconds.`, {
    headers: { Connection: 'close' },
  });

const bodyTooLarge = (limit: number): Problem =>
  new Problem(413, 'body_too_large', `The body is larger than ${limit} bytes, which is the most that is taken.`);
