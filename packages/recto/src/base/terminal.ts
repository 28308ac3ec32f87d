import { ask, askHidden, readAll } from './terminal-input.ts';

/** What a command is given of the process around it. */
export interface Terminal {
  /** Words for the person or program that runs the command, on stdout. */
  out(text: string): void;
  /** Refusals, on stderr. */
  err(text: string): void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person watches stderr, so that what is written there may be drawn over. */
  readonly interactive?: boolean;
  /** Whether stdout may be coloured. */
  readonly colours?: boolean;
  /** Asks the person at the terminal for what nobody may see; absent where there is no terminal. */
  readonly askHidden?: (question: string) => Promise<string>;
  /** Asks the person at the terminal; absent where there is no terminal. */
  readonly ask?: (question: string) => Promise<string>;
  /** All of stdin. */
  readonly readInput?: () => Promise<string>;
}

export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  environment: process.env,
  interactive: process.stderr.isTTY === true,
  // https://no-color.org
  colours: process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '',
  ...(process.stdin.isTTY === true ? { ask, askHidden } : {}),
  readInput: readAll,
};

/** How a command ended. */
export const exitCodes = { done: 0, refused: 1, usage: 2, waiting: 3 } as const;
