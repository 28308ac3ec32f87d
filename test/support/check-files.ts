import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckResult } from '../../packages/recto/src/cli/check-command.ts';
import { runCommand } from './processes/run-command.ts';

/** What `recto check --files --json` says of definition files, from their names to their texts. Faults name files as given. */
export async function checkFiles(files: Readonly<Record<string, string>>): Promise<CheckResult> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-check-'));
  const types = join(folder, 'types');
  try {
    mkdirSync(types);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(types, name), text);
    const { out } = await runCommand(['check', '--files', '--json'], {
      environment: { RECTO_CONTENT_TYPES_DIR: types },
    });
    // The shape is that of the command's own output.
    return JSON.parse(out.replaceAll(`${types}/`, '')) as CheckResult;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same of definitions written as objects, each in a JSON file: `1.json`, `2.json`, and so on. */
export const checkObjects = (...definitions: readonly unknown[]): Promise<CheckResult> =>
  checkFiles(Object.fromEntries(definitions.map((each, index) => [`${index + 1}.json`, JSON.stringify(each)])));

/** What is wrong with them, as `path: message — remedy`. */
export async function faultsOf(...definitions: readonly unknown[]): Promise<readonly string[]> {
  const result = await checkObjects(...definitions);
  if (result.ok) return [];
  return (result.faults ?? []).map(({ path, message, remedy }) => `${path}: ${message} — ${remedy}`);
}
