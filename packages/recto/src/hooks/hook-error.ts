/** Code of a deployment failed. Its message stays in the log: the caller gets 500. */
export class HookError extends Error {
  /** The file, as the log names it. */
  readonly file: string;

  constructor(file: string, what: string, cause?: unknown) {
    super(`${file}: ${what}`, cause === undefined ? undefined : { cause });
    this.name = 'HookError';
    this.file = file;
  }
}
