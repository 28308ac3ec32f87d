import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { projectFiles } from './project/project-files.ts';

const launcher = fileURLToPath(new URL('../../bin/recto', import.meta.url));

/** `recto init`: writes the files of a new project and overwrites none. Resolves with the exit code. */
export const initProject = (terminal: Terminal, folder: string, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const files = projectFiles();
    const names = Object.keys(files);
    refuseExisting(folder, names);
    for (const [name, text] of Object.entries(files)) write(join(folder, name), text);
    const change = relative('.', folder) === '' ? '' : `  cd ${shellWord(folder)}\n`;
    const made = names.map((name) => `  ${join(folder, name)}\n`).join('');
    return {
      text: `Created\n${made}\nNext\n${change}  ${shellWord(launcher)} start\n`,
      json: { folder, files: names },
    };
  });

/** Runs before anything is written. */
function refuseExisting(folder: string, names: readonly string[]): void {
  const there = names.filter((name) => existsSync(join(folder, name)));
  if (there.length === 0) return;
  const list = there.map((name) => `  ${join(folder, name)}`).join('\n');
  throw new FatalError(`These are there already, and nothing is overwritten:\n${list}`);
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw new FatalError(`${file} cannot be created: ${error instanceof Error ? error.message : error}.`, error);
  }
}

const shellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
