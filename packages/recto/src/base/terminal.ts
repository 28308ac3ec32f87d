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
  readonly askHidden?: ((question: string) => Promise<string>) | undefined;
  /** Prompts for a line; absent without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** All of stdin. */
  readonly readInput?: () => Promise<string>;
}

/** What a stream is, is asked for when it matters: the streams of the process are loaded with their first use, and a start needs none. */
export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  environment: process.env,
  get interactive() {
    return process.stderr.isTTY === true;
  },
  // https://no-color.org
  get colours() {
    return process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '';
  },
  get ask() {
    return process.stdin.isTTY === true ? ask : undefined;
  },
  get askHidden() {
    return process.stdin.isTTY === true ? askHidden : undefined;
  },
  readInput: readAll,
};

/** How a command ended. */
export const exitCodes = { done: 0, refused: 1, usage: 2, waiting: 3 } as const;
