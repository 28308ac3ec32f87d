import { readFileSync } from 'node:fs';
import { parse, TomlError, type TomlValue } from 'smol-toml';
import { tomlReason } from '../base/toml-reason.ts';

/** The content of `recto.toml`, or why it cannot be read. */
export type SettingsFile = { readonly entries: Readonly<Record<string, TomlValue>> } | { readonly fault: string };

/** Reads `recto.toml`. A missing file counts as empty. */
export function readSettingsFile(file: string): SettingsFile {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
    return { entries: parse(text) };
  } catch (error) {
    if (isAbsent(error)) return { entries: {} };
    if (error instanceof TomlError)
      return { fault: `${file}, line ${error.line}, is not TOML: ${tomlReason(error, text)}` };
    return { fault: `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
