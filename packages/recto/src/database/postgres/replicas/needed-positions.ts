import type { Generations } from '../../database.ts';
import type { PrimaryState, WalPosition } from './wal-position.ts';

interface Known {
  readonly generation: number;
  readonly position: WalPosition;
}

/**
 * How far a standby must have come to show all that this process knows to be committed to the records behind a name.
 *
 * A commit is known by the generation of each name that it touched: raised by the process itself before its caller hears,
 * by others of the machine before theirs do, by a mark for all others, and in all these cases after the commit is
 * in the log. So the end of the log, asked for after a generation was seen, is behind every commit that this generation counts.
 */
export class NeededPositions {
  readonly #generations: Pick<Generations, 'of'>;
  readonly #ask: () => Promise<PrimaryState>;
  readonly #known = new Map<string, Known>();
  readonly #wanted = new Set<string>();
  #timeline: number | undefined;
  #asking = false;

  constructor(generations: Pick<Generations, 'of'>, ask: () => Promise<PrimaryState>) {
    this.#generations = generations;
    this.#ask = ask;
  }

  /** For all of the names together. Undefined where it is not known yet; then it has been asked for. */
  of(names: readonly string[]): WalPosition | undefined {
    let farthest: WalPosition | undefined;
    let missing = false;
    for (const name of names) {
      const known = this.#known.get(name);
      if (known?.generation !== this.#generations.of(name)) {
        this.#wanted.add(name);
        missing = true;
      } else if (farthest === undefined || known.position.place > farthest.place) farthest = known.position;
    }
    if (!missing) return farthest;
    void this.#learn();
    return undefined;
  }

  async #learn(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    // Before the question: a commit in between makes the answer one of a generation that is no longer.
    const stamps = [...this.#wanted].map((name) => [name, this.#generations.of(name)] as const);
    this.#wanted.clear();
    try {
      const { position } = await this.#ask();
      // Places of another timeline are not comparable: another server is the primary now.
      if (position.timeline !== this.#timeline) this.#known.clear();
      this.#timeline = position.timeline;
      for (const [name, generation] of stamps) this.#known.set(name, { generation, position });
    } catch {
      // The next read asks again; this one goes to the primary, which reports what is wrong.
    } finally {
      this.#asking = false;
    }
  }
}
