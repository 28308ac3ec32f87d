import { writeFileSync } from 'node:fs';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { readSettings, settingsFileName } from '../config/settings.ts';
import { loadDefinitions } from '../service/definitions.ts';
import { loadServed } from '../service/served-types.ts';
import { contentTypesModule } from '../typegen/content-types-module.ts';
import { type AnswerOptions, answer } from './answer.ts';

interface TypesOptions extends AnswerOptions {
  /** The file to write. Default: stdout. */
  readonly out?: string;
  /** Leave out the types stored in a database. */
  readonly files?: boolean;
  /** Only what `createClient<Content>()` needs. */
  readonly client?: boolean;
  /** For hooks, routes and jobs. */
  readonly hooks?: boolean;
}

/** `recto types`: TypeScript types of all content. Reads only definitions. Resolves with the exit code. */
export const printTypes = (terminal: Terminal, options: TypesOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const settings = readSettings(terminal.environment, settingsFileName);
    const types = options.files === true ? await loadDefinitions(settings) : (await loadServed(settings)).types;
    const text = contentTypesModule(types, { forClient: options.client === true, forHooks: options.hooks === true });
    const names = types.all.map(({ singular }) => singular).toSorted();
    const { out } = options;
    if (out === undefined) return { text, json: { types: names, text } };
    write(out, text);
    return { text: `Wrote the types of ${names.join(', ')} to ${out}.\n`, json: { types: names, file: out } };
  });

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new FatalError(`${file} cannot be written: ${error instanceof Error ? error.message : error}`, error);
  }
}
