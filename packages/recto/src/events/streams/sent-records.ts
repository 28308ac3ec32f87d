/** Records that are remembered for all streams with the same interest. */
const most = 10_000;

/**
 * The records that were sent last, and are still visible as far as is known. Empty until one is sent: a cache that
 * reserves its places would take more memory than all else of a stream.
 */
export class SentRecords {
  readonly #keys = new Set<string>();

  add(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= most) return;
    for (const oldest of this.#keys) {
      this.#keys.delete(oldest);
      return;
    }
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  delete(key: string): void {
    this.#keys.delete(key);
  }
}
