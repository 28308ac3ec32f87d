import { ask, askHidden, readAll } from './terminal-input.ts';

/** The parts of the process that a command may use. */
export interface Terminal {
  /** Writes output to stdout. */
  out(text: string): void;
  /** Writes errors to stderr. */
  err(text: string): void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether stderr is a terminal, where output can be redrawn. */
  readonly interactive?: boolean;
  /** Whether stdout may be coloured. */
  readonly colours?: boolean;
  /** Prompts for a secret, without echo; absent without a terminal. */
  readonly askHidden?: (question: string) => Promise<string>;
  /** Prompts for a line; absent without a terminal. */
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
