import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectName } from './project-name.ts';
import type { Template } from './template.ts';
import { findTemplate, templateNames, templates } from './templates.ts';

/** What the command does. */
export type Answers =
  | { readonly kind: 'help' | 'version' }
  /** `wrong`: the command line is; `refused`: what there is does not allow it. */
  | { readonly kind: 'wrong' | 'refused'; readonly reason: string }
  | {
      readonly kind: 'create';
      readonly folder: string;
      readonly name: string;
      readonly template: Template;
      readonly install: boolean;
    };

/** Asks a person; undefined where there is no terminal. */
export type Ask = ((question: string) => Promise<string>) | undefined;

const wrong = (reason: string): Answers => ({ kind: 'wrong', reason });

/** Reads the command line, and asks for what it leaves out where somebody can answer. */
export async function readAnswers(args: readonly string[], ask: Ask): Promise<Answers> {
  const given = parsed(args);
  if (typeof given === 'string') return wrong(given);
  const { values, positionals } = given;
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  if (positionals.length > 1) return wrong(`One folder is created, and not ${positionals.length}.`);
  const word = positionals[0] ?? (values.yes === true ? '' : await ask?.('Name of the project: ')) ?? '';
  const isHere = word.trim() === '.';
  const named = projectName(isHere ? basename(process.cwd()) : word);
  if (named.error !== undefined) return wrong(named.error);
  const folder = isHere ? '.' : named.name;
  const there = entriesOf(folder);
  if (there.length > 0)
    return { kind: 'refused', reason: `${resolve(folder)} is not empty (${there[0]}), and nothing is overwritten.` };
  const template = await chosenTemplate(values.template, values.yes === true ? undefined : ask);
  if (typeof template === 'string') return wrong(template);
  return { kind: 'create', folder, name: named.name, template, install: values['no-install'] !== true };
}

async function chosenTemplate(given: string | undefined, ask: Ask): Promise<Template | string> {
  const list = templates.map(({ name, description }, index) => `  ${index + 1}  ${name}: ${description}\n`).join('');
  const word = (given ?? (await ask?.(`Templates\n${list}Template (1): `)) ?? '').trim();
  if (word === '') return templates[0];
  const chosen = findTemplate(word) ?? (given === undefined ? templates[Number(word) - 1] : undefined);
  return chosen ?? `There is no template "${word}": choose ${templateNames.join(', ')}.`;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        template: { type: 'string', short: 't' },
        'no-install': { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'V' },
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What a folder holds, besides the history of a repository that has none yet; nothing where there is no folder. */
function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name !== '.git');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    return [error instanceof Error ? error.message : String(error)];
  }
}
