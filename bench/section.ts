import type { RoundOptions } from './paired-rounds.ts';

/** How much is measured: in a fraction of the time, or in full. */
export interface Effort extends RoundOptions {
  readonly quick: boolean;
}

/** A part of the benchmark that can be run by itself: `npm run bench -- --only <name>`. */
export interface Section {
  readonly name: string;
  run(effort: Effort): Promise<SectionResult>;
}

export interface SectionResult {
  /** What is printed: tables in Markdown. */
  readonly text: string;
  /** Goes into the results as JSON. */
  readonly figures: unknown;
}
