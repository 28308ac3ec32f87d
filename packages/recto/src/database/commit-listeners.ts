/** Who wants to know of commits. */
export class CommitListeners {
  readonly #listeners = new Set<() => void>();

  /** Returns what removes the listener. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  call(): void {
    for (const listener of this.#listeners) listener();
  }
}
