/** What a command is given of the process around it. */
export interface Terminal {
  /** Words for the person or program that runs the command, on stdout. */
  out(text: string): void;
  /** Refusals, on stderr. */
  err(text: string): void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person watches stderr, so that what is written there may be drawn over. */
  readonly interactive?: boolean;
}

export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  environment: process.env,
  interactive: process.stderr.isTTY === true,
};

/** How a command ended. */
export const exitCodes = { done: 0, refused: 1, usage: 2 } as const;
