/** The command line is not right in a way that only the command itself can see; ends with exit code 2. */
export class UsageFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageFault';
  }
}
