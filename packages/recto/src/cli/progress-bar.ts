import type { Terminal } from '../base/terminal.ts';
import type { Progress } from '../transfer/progress.ts';

const width = 30;
const leastPauseMs = 100;

/** A progress bar on stderr, redrawn in place; silent where stderr is not a terminal. */
export class ProgressBar {
  readonly #terminal: Terminal;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #phase = '';

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  readonly report: Progress = (phase, done, total) => {
    if (this.#terminal.interactive !== true || total <= 0) return;
    const now = performance.now();
    if (phase === this.#phase && done < total && now - this.#drawnAt < leastPauseMs) return;
    this.#drawnAt = now;
    this.#phase = phase;
    const share = Math.min(1, done / total);
    const full = Math.round(share * width);
    const percent = `${Math.floor(share * 100)}`.padStart(3);
    this.#terminal.err(`\r${phase.padEnd(10)} [${'#'.repeat(full)}${'.'.repeat(width - full)}] ${percent} %`);
  };

  /** Removes the bar before other output. */
  clear(): void {
    if (this.#phase !== '') this.#terminal.err(`\r${' '.repeat(width + 20)}\r`);
    this.#phase = '';
  }
}
