/** Frees the memory of bytes that nobody reads any more. */
export type ChunkRelease = (bytes: Uint8Array) => void;

/** Bytes that could not be freed are collected after so many. */
const collectBytes = 16 * 1024 * 1024;

/**
 * Frees chunks of a stream once they have been read: the runtime does not count their memory, and would let many of them wait to
 * be collected. Chunks that may also belong to somebody else (`isOwn` is false), and those that share their memory, are left to be
 * collected.
 */
export function chunkRelease(isOwn: boolean): ChunkRelease {
  let waiting = 0;
  return (bytes) => {
    const { buffer, byteLength } = bytes;
    if (byteLength === 0) return;
    if (isOwn && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) {
      buffer.transfer(0);
      return;
    }
    waiting += byteLength;
    if (waiting < collectBytes) return;
    waiting = 0;
    Bun.gc(false);
  };
}

/** The chunks of a stream. Each may be used until the next is asked for. */
export async function* releasedChunks(
  chunks: AsyncIterable<Uint8Array>,
  release: ChunkRelease,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    yield chunk;
    release(chunk);
  }
}
