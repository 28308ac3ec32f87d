/** The ETags of what was read, by address; as many as are likely to be edited at a time. */
export class Tags {
  readonly #tags = new Map<string, string>();

  get(address: string): string | undefined {
    return this.#tags.get(address);
  }

  keep(address: string, headers: Headers): void {
    const tag = headers.get('etag');
    this.#tags.delete(address);
    if (tag !== null) this.#tags.set(address, tag);
    const [oldest] = this.#tags.keys();
    if (this.#tags.size > 1000 && oldest !== undefined) this.#tags.delete(oldest);
  }

  forget(address: string): void {
    this.#tags.delete(address);
  }
}
