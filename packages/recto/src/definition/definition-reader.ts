import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parse, TomlError } from 'smol-toml';
import { exitCodes } from '../base/terminal.ts';
import type { DefinitionFault } from './definition-fault.ts';
import type { DefinitionSource, SourcePlace } from './definition-source.ts';
import { jsonPlaces, plainJson } from './json-places.ts';
import { safeCopy, thrownText, UncopyableValue } from './safe-copy.ts';
import { locator, placeAt } from './source-place.ts';

/** A file that could not be read as a definition at all. */
export class UnreadableDefinition extends Error {
  readonly fault: DefinitionFault;

  constructor(fault: DefinitionFault) {
    super(fault.message);
    this.name = 'UnreadableDefinition';
    this.fault = fault;
  }
}

type Reader = (path: string, file: string) => Promise<DefinitionSource> | DefinitionSource;

/** How each kind of file is read, by the end of its name. */
const readers: Readonly<Record<string, Reader>> = { '.toml': readToml, '.json': readJson, '.ts': readTypeScript };

/** The reader of a file by its name; undefined for a file that holds no definition. */
export function definitionReader(file: string): Reader | undefined {
  if (file.startsWith('.') || file.endsWith('.test.ts') || file.endsWith('.d.ts')) return undefined;
  return readers[/\.[a-z]+$/.exec(file)?.[0] ?? ''];
}

function unreadable(
  file: string,
  message: string,
  remedy: string,
  place: Partial<SourcePlace> = {},
  path = '',
): UnreadableDefinition {
  return new UnreadableDefinition({ file, ...place, path, message, remedy });
}

function readText(path: string, file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw unreadable(file, `cannot be read (${thrownText(error)})`, 'let the service read it, or take it away');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable(file, 'is not UTF-8 text', 'save it as UTF-8');
  }
}

function readToml(path: string, file: string): DefinitionSource {
  const text = readText(path, file);
  try {
    return { file, definition: parse(text), locate: locator(text, 'toml') };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest of its message is an excerpt of the file.
    const reason = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '') ?? '';
    const place = { line: error.line, column: error.column };
    throw unreadable(file, `is not TOML: ${reason}`, 'mend the syntax (toml.io)', place);
  }
}

function readJson(path: string, file: string): DefinitionSource {
  const text = readText(path, file);
  const definition = plainJson(text);
  if (definition === undefined) throw unreadableJson(file, text);
  return { file, definition, locate: locator(text, 'json') };
}

function unreadableJson(file: string, text: string): UnreadableDefinition {
  const { error, repeated } = jsonPlaces(text);
  if (error === undefined && repeated !== undefined) {
    return unreadable(file, `${repeated.path} stands there twice`, 'give it once', placeAt(text, repeated.offset));
  }
  const at = error ?? text.length;
  const found = at >= text.length ? 'the file ends' : `there is ${JSON.stringify(text[at])}`;
  return unreadable(file, `is not JSON: ${found} where something else must be`, 'mend the syntax', placeAt(text, at));
}

async function readTypeScript(path: string, file: string): Promise<DefinitionSource> {
  let module: unknown;
  try {
    module = await importWhole(pathToFileURL(path).href, file);
  } catch (error) {
    throw unreadable(file, `cannot be run: ${thrownText(error)}`, 'mend the program', placeOf(error));
  }
  if (typeof module !== 'object' || module === null || !('default' in module)) {
    throw unreadable(file, 'has no default export', 'write export default defineContentType({ … })');
  }
  try {
    return { file, definition: safeCopy(module.default) };
  } catch (error) {
    if (!(error instanceof UncopyableValue)) throw error;
    throw unreadable(file, error.message, 'export plain data', {}, error.path);
  }
}

/**
 * Imports a module. Rejects also for what it leaves behind meanwhile: a promise that it rejected and nobody handled, or what was
 * thrown in a timer.
 */
async function importWhole(address: string, file: string): Promise<unknown> {
  let lost: { readonly reason: unknown } | undefined;
  const listen = (reason: unknown): void => {
    lost ??= { reason };
  };
  const ended = (): void => reportEnd(file);
  process.on('unhandledRejection', listen);
  process.on('uncaughtException', listen);
  process.on('exit', ended);
  try {
    const module: unknown = await import(address);
    // The runtime reports such a promise in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (lost !== undefined) throw lost.reason;
    return module;
  } finally {
    process.off('unhandledRejection', listen);
    process.off('uncaughtException', listen);
    process.off('exit', ended);
  }
}

/** The program has ended the process. Without this, a check would pass that has looked at nothing. */
function reportEnd(file: string): void {
  process.stderr.write(`${file}: cannot be run: it ends the process — mend the program\n`);
  process.exitCode = exitCodes.refused;
}

/** The place of a syntax error, which the runtime puts on the error or on the first of several. */
function placeOf(error: unknown): Partial<SourcePlace> {
  try {
    const first = error instanceof AggregateError ? error.errors[0] : error;
    const { line, column } = Object(Object(first).position);
    return typeof line === 'number' && typeof column === 'number' ? { line, column } : {};
  } catch {
    // What was thrown is no error of the runtime's: it cannot even be read.
    return {};
  }
}
