import { badRequest, Problem } from '../base/problem.ts';

/** The bytes of a request's body, none for no body; 413 as soon as there are more than `limit`, whether announced or not. */
export async function bodyBytes(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  if (announced !== null && Number(announced) > limit) throw bodyTooLarge(limit);
  try {
    // The runtime reads no more than was announced.
    if (announced !== null) return within(limit, await request.bytes());
    return request.body === null ? new Uint8Array() : await streamedBytes(request.body, limit);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw badRequest('body_unreadable', 'The connection ended before the whole body was there.');
  }
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

const bodyTooLarge = (limit: number): Problem =>
  new Problem(413, 'body_too_large', `The body is larger than ${limit} bytes, which is the most that is taken.`);
