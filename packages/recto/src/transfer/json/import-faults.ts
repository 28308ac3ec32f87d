import type { FieldFault } from '../../base/problem.ts';
import { TransferRefused } from '../transfer-refused.ts';

/** Errors that are listed; the others are counted. */
const listed = 30;

/** The errors in the records of an import, with their places. */
export class ImportFaults {
  readonly #lines: string[] = [];
  #count = 0;

  /** `place` is `posts.ndjson:12`. */
  add(place: string, message: string): void {
    this.#count += 1;
    if (this.#lines.length < listed) this.#lines.push(`  ${place}: ${message}`);
  }

  addAll(place: string, faults: readonly FieldFault[]): void {
    for (const { field, message } of faults) this.add(place, `${field}: ${message}`);
  }

  /** Throws a `TransferRefused` with all of them, if there are any. */
  refuse(): void {
    if (this.#count === 0) return;
    const more = this.#count > listed ? [`  and ${this.#count - listed} more`] : [];
    const count = this.#count === 1 ? 'One error' : `${this.#count} errors`;
    throw new TransferRefused([`${count}; nothing was imported:`, ...this.#lines, ...more].join('\n'));
  }
}
