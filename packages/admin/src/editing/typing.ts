import type { Timers } from './timers.ts';

/**
 * Keys that controls show already, and nobody has heard of yet. What follows from a key (the state of the record, whether it is saved, what
 * else shows the value) takes longer than the browser needs to draw it, so it is reported after the frame.
 */
export class Typing {
  readonly #timers: Timers;
  readonly #reports = new Map<string, () => void>();
  readonly #held = new Set<() => void>();
  #cancel: (() => void) | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** `report` dispatches the change: of several for one control before a frame, the last one is called. */
  add(path: string, report: () => void): void {
    this.#reports.set(path, report);
    this.#cancel ??= this.#timers.afterFrame(() => run(this.#taken()));
  }

  /**
   * A control that reports by itself later, because that takes long: `report` is called where what was typed counts before that. Returns
   * what says that it has reported.
   */
  hold(report: () => void): () => void {
    this.#held.add(report);
    return () => void this.#held.delete(report);
  }

  /** Reports what was typed now: before anything else happens to the record, and before it is looked at. */
  settle(): void {
    if (this.#reports.size === 0 && this.#held.size === 0) return;
    const held = [...this.#held];
    this.#held.clear();
    run([...this.#taken(), ...held]);
  }

  /** Reporting is a step as well, which settles first: what is reported is no longer here. */
  #taken(): readonly (() => void)[] {
    this.#cancel?.();
    this.#cancel = undefined;
    const reports = [...this.#reports.values()];
    this.#reports.clear();
    return reports;
  }
}

function run(reports: readonly (() => void)[]): void {
  for (const report of reports) report();
}
