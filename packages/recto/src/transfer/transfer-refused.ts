/** The input of a transfer is invalid. The message is full sentences for a person; nothing has been stored. */
export class TransferRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransferRefused';
  }
}
