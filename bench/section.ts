import type { RoundOptions } from './paired-rounds.ts';

/** How much is measured: in a fraction of the time, or in full. */
export interface Effort extends RoundOptions {
  readonly quick: boolean;
}

/** A part of the benchmark that can be run by itself: `npm run bench -- --only <name>`. */
export interface Section {
  readonly name: string;
  /** What it measures, in a few words. */
  readonly title: string;
  /** Minutes that it took on two cores, about. */
  readonly minutes: { readonly quick: number; readonly whole: number };
  /** Beside Linux, whose `/proc` all read. */
  readonly needs?: {
    readonly postgres?: true;
    /** Free space in the folder for temporary files, of a whole run. */
    readonly gibibytes?: number;
  };
  /** `keep` stores the figures that there are so far: of a run that is interrupted, they stay. */
  run(effort: Effort, keep: (figures: unknown) => Promise<void>): Promise<SectionResult>;
}

export interface SectionResult {
  /** What is printed: tables in Markdown. */
  readonly text: string;
  /** Goes into the results as JSON. */
  readonly figures: unknown;
}
