/** The start is refused: a setting, a definition, the data folder or the port is not as it must be. The message is whole sentences for a person; the process ends with exit code 1. */
export class StartRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StartRefused';
  }
}
