import { createLogger, type Logger } from '../../packages/recto/src/base/logger.ts';

/**
 * The errors that a service of a test has logged. A test fails where one of them was not expected, and so does the run where one
 * comes after the last test (`unexpected-errors.ts`, which is loaded before all tests).
 */
export class ServiceLog {
  readonly #source: string;
  readonly #expected: RegExp[];
  #errors: string[] = [];

  /** `source` says in a failure which service it was. */
  constructor(source: string, expected: readonly RegExp[] = []) {
    this.#source = source;
    this.#expected = [...expected];
    all.add(this);
  }

  /** Announces errors that the test causes: lines that match one of the patterns, before or after now. */
  expect(...patterns: readonly RegExp[]): void {
    this.#expected.push(...patterns);
  }

  /** Keeps a line if it is an error. */
  write(line: string): void {
    if (/^\{"level":"(?:error|fatal)"/.test(line)) this.#errors.push(line.trimEnd());
  }

  /** The errors that nobody has announced. Each is returned once. */
  takeUnexpected(): readonly string[] {
    const unexpected = this.#errors.filter((line) => !this.#expected.some((pattern) => pattern.test(line)));
    this.#errors = [];
    return unexpected.map((line) => `${this.#source}: ${line}`);
  }
}

const all = new Set<ServiceLog>();

/** The errors of all services since the last call that no test has announced. */
export const takeUnexpectedErrors = (): readonly string[] => [...all].flatMap((log) => log.takeUnexpected());

/** The log of a service in process: its errors are kept, and all lines from a level on are given to `write`. */
export const loggerOf = (log: ServiceLog, write?: (line: string) => void): Logger =>
  createLogger(write === undefined ? 'error' : 'info', {
    write(line) {
      log.write(line);
      write?.(line);
    },
  });
