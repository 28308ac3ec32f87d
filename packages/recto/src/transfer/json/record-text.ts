/** The text of one record, as a file has it. */
export interface RecordText {
  readonly text: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** What it is known by in the source of the import, whose id it is not; see `RecordsImport.source`. */
  readonly entry?: string;
  /** What is wrong with it already; absent: nothing. */
  readonly errors?: readonly string[];
}
