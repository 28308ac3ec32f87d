import { type Command, Option } from 'commander';
import { exitCodes, type Terminal } from '../../base/terminal.ts';
import { definitionFormats } from '../../content-types/definition-text.ts';
import type { AnswerOptions } from '../answer.ts';
import type { SchemaExportOptions } from './schema-export-command.ts';

const json = ['--json', 'print the result as JSON'] as const;

/** Adds `recto schema`. */
export function addSchemaCommands(program: Command, terminal: Terminal, ended: (exitCode: number) => void): void {
  const schema = program
    .command('schema')
    .description('Show content types, and write those created through the API as files.')
    .addHelpText('after', schemaHelp);
  schema
    .command('list', { isDefault: true })
    .description('List all content types: where they come from, their tables and records.')
    .option(...json)
    .addHelpText('after', schemaHelp)
    // As the command that runs where none is named, it is also given the words that name none.
    .allowExcessArguments()
    .action(async (options: AnswerOptions, { args: [word] }: Command) => {
      if (word !== undefined)
        schema.error(`error: unknown command '${word}'. It must be one of list, show, export.`, {
          exitCode: exitCodes.usage,
        });
      const { listSchema } = await import('./schema-command.ts');
      ended(await listSchema(terminal, options));
    });
  schema
    .command('show')
    .description('Print the definition of a content type as a file would hold it.')
    .argument('<singular>', 'the singular name of the type')
    .option(...json)
    .addHelpText('after', schemaHelp)
    .action(async (singular: string, options: AnswerOptions) => {
      const { showSchema } = await import('./schema-command.ts');
      ended(await showSchema(terminal, singular, options));
    });
  schema
    .command('export')
    .description('Write content types that were created through the API as definition files.')
    .argument('[singular...]', 'their singular names; left out: all')
    .option('--to <folder>', 'where to; with --move left out: where the service reads its definitions')
    .addOption(new Option('--format <format>', 'how to write them').choices([...definitionFormats]).default('toml'))
    .option('--force', 'replace files that are there')
    .option('--move', 'leave the types to the files from now on')
    .option(...json)
    .addHelpText('after', exportHelp)
    .action(async (names: readonly string[], options: SchemaExportOptions) => {
      const { exportSchema } = await import('./schema-export-command.ts');
      ended(await exportSchema(terminal, names, options));
    });
}

const exitCodesHelp = `
Exit codes:
  0  done
  1  failed, with the reason: a setting, a definition, a file or the database is wrong
  2  the command line is invalid`;

const schemaHelp = `
The service may run meanwhile. Files and database are looked at as the next start would.

Examples:
  recto schema
  recto schema list --json
  recto schema show ticket
${exitCodesHelp}`;

const exportHelp = `
What TOML cannot express (null within a default) is written as JSON. With --move, the types belong to the files: they are no longer
changed through the API, a running service goes on with them as they are, and the next start reads the files. No record is
touched. Interrupted, it can be run again. See docs/content-types-api.md.

Examples:
  recto schema export --to definitions
  recto schema export ticket --to definitions --format json
  recto schema export --move
${exitCodesHelp}`;
