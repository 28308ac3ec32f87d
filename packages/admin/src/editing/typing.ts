import type { Timers } from './timers.ts';

/**
 * Keys that controls show already, and nobody has heard of yet. What follows from a key (the state of the record, whether it is saved, what
 * else shows the value) takes longer than the browser needs to draw it, so it is reported after the frame.
 */
export class Typing {
  readonly #timers: Timers;
  readonly #reports = new Map<string, () => void>();
  #cancel: (() => void) | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** `report` dispatches the change: of several for one control before a frame, the last one is called. */
  add(path: string, report: () => void): void {
    this.#reports.set(path, report);
    this.#cancel ??= this.#timers.afterFrame(() => this.settle());
  }

  /** Reports what was typed now: before anything else happens to the record, and before it is looked at. */
  settle(): void {
    if (this.#reports.size === 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
    const reports = [...this.#reports.values()];
    // Reporting is a step as well, which settles first.
    this.#reports.clear();
    for (const report of reports) report();
  }
}
