/** The service cannot start: a setting, a definition, the data folder or the port is wrong. The message is full sentences for a person; the process exits with code 1. */
export class FatalError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FatalError';
  }
}
