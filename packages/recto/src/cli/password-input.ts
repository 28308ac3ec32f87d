import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { UsageFault } from '../base/usage-fault.ts';

/**
 * Reads a new password: the first line of stdin, or entered twice at the terminal without echo. Never from an argument, which
 * other users of the machine could read.
 */
export async function readPassword(terminal: Terminal, fromInput: boolean): Promise<string> {
  if (fromInput) return firstLine((await terminal.readInput?.()) ?? '');
  if (terminal.askHidden === undefined)
    throw new UsageFault('There is no terminal to ask for the password at: give it to stdin, with --password-stdin.');
  const password = await terminal.askHidden('Password: ');
  if ((await terminal.askHidden('Once more: ')) !== password) throw new FatalError('The two passwords differ.');
  return password;
}

/** Accepts the line end that `echo` adds; a password of several lines is an error. */
function firstLine(input: string): string {
  const line = input.replace(/\r?\n$/, '');
  if (/[\r\n]/.test(line)) throw new FatalError('The password on stdin has more than one line.');
  return line;
}
