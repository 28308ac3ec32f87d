import { runCommandLine } from '../../../packages/recto/src/cli/command-line.ts';
import type { Ended } from './recto-process.ts';

export interface CommandSurroundings {
  readonly environment?: Readonly<Record<string, string>>;
  /** What stdin holds. */
  readonly input?: string;
  /** What a person enters, answer by answer; left out: there is no terminal. */
  readonly entered?: readonly string[];
}

/** Runs `recto` in this process. */
export async function runCommand(
  args: readonly string[],
  { environment = {}, input = '', entered }: CommandSurroundings = {},
): Promise<Ended> {
  let out = '';
  let err = '';
  const answers = [...(entered ?? [])];
  const exitCode = await runCommandLine(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    environment,
    readInput: async () => input,
    ...(entered === undefined
      ? {}
      : { ask: async () => answers.shift() ?? '', askHidden: async () => answers.shift() ?? '' }),
  });
  return { exitCode, out, err };
}
