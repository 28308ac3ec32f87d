import { pathToFileURL } from 'node:url';
import { exitCodes } from '../base/terminal.ts';
import type { SourcePlace } from './definition-source.ts';

let importing = 0;

/** Whether a module of a deployment is being imported: errors that it leaves behind are then reported by whoever imports it. */
export const isImporting = (): boolean => importing > 0;

/**
 * Imports a module of a deployment; `file` is how messages name it. Rejects also for what it leaves behind meanwhile: a promise that
 * it rejected and nobody handled, or what was thrown in a timer.
 */
export async function importModule(path: string, file: string): Promise<unknown> {
  let lost: { readonly reason: unknown } | undefined;
  const listen = (reason: unknown): void => {
    lost ??= { reason };
  };
  const ended = (): void => reportEnd(file);
  process.on('unhandledRejection', listen);
  process.on('uncaughtException', listen);
  process.on('exit', ended);
  importing += 1;
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    // The runtime reports such a promise in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (lost !== undefined) throw lost.reason;
    return module;
  } finally {
    importing -= 1;
    process.off('unhandledRejection', listen);
    process.off('uncaughtException', listen);
    process.off('exit', ended);
  }
}

/** The program has ended the process. Without this, a check would pass that has looked at nothing. */
function reportEnd(file: string): void {
  process.stderr.write(`${file}: cannot be run: it ends the process — fix the program\n`);
  process.exitCode = exitCodes.refused;
}

/**
 * The place of an error in a module: of a syntax error, the runtime puts it on the error or on the first of several; of any other, the
 * stack has it.
 */
export function placeOfError(error: unknown, path: string): Partial<SourcePlace> {
  try {
    const first = error instanceof AggregateError ? error.errors[0] : error;
    const { line, column } = Object(Object(first).position);
    if (typeof line === 'number' && typeof column === 'number') return { line, column };
    const stack = first instanceof Error ? (first.stack ?? '') : '';
    const at = stack.indexOf(`${path}:`);
    const [, row, place] = at === -1 ? [] : (/^:(\d+):(\d+)/.exec(stack.slice(at + path.length)) ?? []);
    return row === undefined || place === undefined ? {} : { line: Number(row), column: Number(place) };
  } catch {
    // What was thrown is no error of the runtime's: it cannot even be read.
    return {};
  }
}
