import { FatalError } from '../base/fatal-error.ts';

/** One thing that is wrong with a definition. */
export interface DefinitionFault {
  /** The file as it can be opened from the working folder, or another name of the definition's source. */
  readonly file: string;
  /** From 1; absent where the place is not known. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
  /** Where in the definition, such as `fields[3].max_length` (counted from 0); empty for the complete definition. */
  readonly path: string;
  /** What is wrong. */
  readonly message: string;
  /** What would be right. */
  readonly remedy: string;
  /** The kind of error, for programs; `invalid` for any other. */
  readonly code?: string;
  /** The text in question with carets under the error, for rules. */
  readonly excerpt?: string;
}

/** All that is wrong with all definitions. Its message prints them as a compiler does. */
export class DefinitionFaults extends FatalError {
  readonly faults: readonly DefinitionFault[];

  /** `what` is wrong, in words. */
  constructor(faults: readonly DefinitionFault[], what = 'the content type definitions') {
    const count = faults.length === 1 ? 'One error' : `${faults.length} errors`;
    super(`${count} in ${what}:\n${faults.map(faultText).join('\n')}`);
    this.name = 'DefinitionFaults';
    this.faults = faults;
  }
}

/** `content-types/article.toml:12 fields[3].max_length: must be an integer — write 200 without quotes` */
export function faultText({ file, line, column, path, message, remedy, excerpt }: DefinitionFault): string {
  const place = `${file}${line === undefined ? '' : `:${line}`}${column === undefined ? '' : `:${column}`}`;
  const text = `${place}${path === '' ? '' : ` ${path}`}: ${message} — ${remedy}`;
  return excerpt === undefined ? text : `${text}\n${excerpt}`;
}
