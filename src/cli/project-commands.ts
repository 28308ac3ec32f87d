import type { Command } from 'commander';
import type { AnswerOptions } from './answer.ts';
import type { Terminal } from './terminal.ts';

/** Adds `recto types`. */
export function addTypesCommand(program: Command, terminal: Terminal, ended: (exitCode: number) => void): void {
  program
    .command('types')
    .description('Print TypeScript types of the content, for programs that call the API.')
    .option('--out <file>', 'write them to this file instead; what it held is replaced')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', typesHelp)
    .action(async (options: AnswerOptions & { readonly out?: string }) => {
      const { printTypes } = await import('./types-command.ts');
      ended(await printTypes(terminal, options));
    });
}

const typesHelp = `
Records, payloads and list answers of all content types, pages, posts and comments included. Needs no database.

Examples:
  recto types > content.ts
  recto types --out site/content.ts

Exit codes:
  0  done
  1  refused: a setting or a definition is not right, or the file cannot be written
  2  the command line is not right`;
