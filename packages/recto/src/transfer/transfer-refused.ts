/** What was to be brought in or out is not as it must be. The message is whole sentences for a person; nothing has been stored. */
export class TransferRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransferRefused';
  }
}
