import { readFileSync } from 'node:fs';
import { parse, TomlError, type TomlValue } from 'smol-toml';

/** The content of `recto.toml`, or why it cannot be read. */
export type SettingsFile = { readonly entries: Readonly<Record<string, TomlValue>> } | { readonly fault: string };

/** Reads `recto.toml`. A missing file counts as empty. */
export function readSettingsFile(file: string): SettingsFile {
  try {
    return { entries: parse(readFileSync(file, 'utf8')) };
  } catch (error) {
    if (isAbsent(error)) return { entries: {} };
    if (error instanceof TomlError) {
      // The error's own text continues with the surrounding lines, which may contain a secret.
      const reason = error.message.split('\n')[0] ?? '';
      return { fault: `${file}, line ${error.line}: ${reason}` };
    }
    return { fault: `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
