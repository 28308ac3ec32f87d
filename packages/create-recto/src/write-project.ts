import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files into a folder, by their paths in it, and overwrites none. Throws with a message for a person. */
export function writeProject(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { flag: 'wx' });
    } catch (error) {
      throw new Error(`${file} cannot be created: ${error instanceof Error ? error.message : error}.`, {
        cause: error,
      });
    }
  }
}
