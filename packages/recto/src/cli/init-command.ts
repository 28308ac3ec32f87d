import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { findTemplate, projectFiles, projectName, templateNames, writeProject } from 'create-recto';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { version } from '../base/version.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { settingsTemplate } from './project/settings-template.ts';

interface InitOptions extends AnswerOptions {
  /** What the project begins with. */
  readonly template: string;
}

/** `recto init`: writes the files of a new project and overwrites none. Resolves with the exit code. */
export const initProject = (terminal: Terminal, folder: string, options: InitOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const template = findTemplate(options.template);
    if (template === undefined)
      throw new FatalError(`There is no template "${options.template}": choose ${templateNames.join(', ')}.`);
    // A folder may have a name that no package can have.
    const name = projectName(basename(resolve(folder))).name ?? 'site';
    const files = projectFiles({ name, template, version, settings: settingsTemplate() });
    const names = Object.keys(files);
    refuseExisting(folder, names);
    try {
      writeProject(folder, files);
    } catch (error) {
      throw new FatalError(error instanceof Error ? error.message : String(error), error);
    }
    const change = relative('.', folder) === '' ? '' : `  cd ${shellWord(folder)}\n`;
    const made = names.map((file) => `  ${join(folder, file)}\n`).join('');
    return {
      text: `Created\n${made}\nNext\n${change}  recto start    (or: npm install, then npm start)\n`,
      json: { folder, template: template.name, files: names },
    };
  });

/** Runs before anything is written. */
function refuseExisting(folder: string, names: readonly string[]): void {
  const there = names.filter((name) => existsSync(join(folder, name)));
  if (there.length === 0) return;
  const list = there.map((name) => `  ${join(folder, name)}`).join('\n');
  throw new FatalError(`These are there already, and nothing is overwritten:\n${list}`);
}

const shellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
