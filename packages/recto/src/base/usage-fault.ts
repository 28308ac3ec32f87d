/** A command-line error that only the command itself can detect; the process exits with code 2. */
export class UsageFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageFault';
  }
}
