import { readFileSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { tomlReason } from '../base/toml-reason.ts';
import type { DefinitionFault } from './definition-fault.ts';
import type { DefinitionSource, SourcePlace } from './definition-source.ts';
import { importModule, placeOfError } from './import-module.ts';
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
const readers: Readonly<Record<string, Reader>> = {
  '.toml': readToml,
  '.json': readJson,
  '.ts': readTypeScript,
  '.yaml': rejectYaml,
  '.yml': rejectYaml,
};

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
    const place = { line: error.line, column: error.column };
    throw unreadable(file, `is not TOML: ${tomlReason(error, text)}`, 'fix the syntax (toml.io)', place);
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
  return unreadable(file, `is not JSON: ${found} where something else must be`, 'fix the syntax', placeAt(text, at));
}

/** Ignored, a definition would be missing without a word. */
function rejectYaml(_path: string, file: string): never {
  throw unreadable(file, 'is YAML, which is not read', 'write it as TOML, JSON or TypeScript');
}

async function readTypeScript(path: string, file: string): Promise<DefinitionSource> {
  let module: unknown;
  try {
    module = await importModule(path, file);
  } catch (error) {
    throw unreadable(file, `cannot be run: ${thrownText(error)}`, 'fix the program', placeOfError(error, path));
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
