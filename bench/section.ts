import type { RoundOptions } from './paired-rounds.ts';

/** Whether to measure quickly or in full. */
export interface Effort extends RoundOptions {
  readonly quick: boolean;
}

/** A part of the benchmark that can be run by itself: `npm run bench -- --only <name>`. */
export interface Section {
  readonly name: string;
  /** What it measures, in a few words. */
  readonly title: string;
  /** Its approximate duration on two cores, in minutes. */
  readonly minutes: { readonly quick: number; readonly whole: number };
  /** Requirements besides Linux, whose `/proc` all sections read. */
  readonly needs?: {
    readonly postgres?: true;
    /** Free space in the folder for temporary files, for a full run. */
    readonly gibibytes?: number;
  };
  /** `keep` stores the figures so far, so that an interrupted run keeps them. */
  run(effort: Effort, keep: (figures: unknown) => Promise<void>): Promise<SectionResult>;
}

export interface SectionResult {
  /** What is printed: tables in Markdown. */
  readonly text: string;
  /** Goes into the results as JSON. */
  readonly figures: unknown;
}
