import { FatalError } from '../base/fatal-error.ts';
import { Problem } from '../base/problem.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import { UsageFault } from '../base/usage-fault.ts';

/** How a command prints its result. */
export interface AnswerOptions {
  readonly json?: boolean;
}

/** The result of a command. */
export interface Answer {
  /** For a person; complete lines. */
  readonly text: string;
  /** For a program, with `ok` beside it. */
  readonly json: Readonly<Record<string, unknown>>;
  /** False: the command ran and found errors. */
  readonly ok?: boolean;
  /** Overrides the exit code of `ok`. */
  readonly exitCode?: number;
}

/**
 * Runs a command's work and prints the result on stdout, errors on stderr; with `json`, one object on stdout:
 * `{ok: true, …}` or `{ok: false, message, errors?}`. Resolves with the exit code; rejects for bugs in the program.
 */
export async function answer(
  terminal: Terminal,
  { json }: AnswerOptions,
  work: () => Promise<Answer>,
): Promise<number> {
  try {
    const { text, json: members, ok = true, exitCode = ok ? exitCodes.done : exitCodes.refused } = await work();
    terminal.out(json === true ? jsonText({ ok, ...members }) : text);
    return exitCode;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    const { message, errors, exitCode } = refusal;
    if (json === true) terminal.out(jsonText({ ok: false, message, ...(errors === undefined ? {} : { errors }) }));
    else terminal.err(refusalText(refusal));
    return exitCode;
  }
}

interface Refusal {
  readonly message: string;
  readonly errors?: Problem['errors'];
  readonly exitCode: number;
}

/** The output for an error; undefined for a bug in the program. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof UsageFault) return { message: error.message, exitCode: exitCodes.usage };
  if (error instanceof FatalError) return { message: error.message, exitCode: exitCodes.refused };
  if (!(error instanceof Problem)) return undefined;
  return { message: error.message, errors: error.errors, exitCode: exitCodes.refused };
}

function refusalText({ message, errors = [] }: Refusal): string {
  if (errors.length === 0) return `${message}\n`;
  return `${errors.map(({ field, message: fault }) => `${field}: ${fault}`).join('\n')}\n`;
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
