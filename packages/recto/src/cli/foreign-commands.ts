import type { Command } from 'commander';
import type { Terminal } from '../base/terminal.ts';
import { importMapName } from '../transfer/importers/import-map-name.ts';
import { importers } from '../transfer/importers/index.ts';
import type { ForeignImportOptions } from './foreign-import-command.ts';

/** Adds a command for each system that content comes from. */
export function addForeignCommands(imports: Command, terminal: Terminal, ended: (exitCode: number) => void): void {
  for (const importer of importers) {
    const { format, label, takes, help } = importer;
    imports
      .command(format)
      .description(`Bring in what is in ${label}.`)
      .argument('<source>', takes)
      .option('--plan', `write content types and ${importMapName}, which say how, and import nothing`)
      .option('--set <name=value>', 'with --plan: choose what the plan offers under [options]', collect, [])
      .option('--map <file>', 'import as this plan says')
      .option('--media <folder>', 'where the files are, if they are not with the rest')
      .option('--fetch', 'fetch files that are not there from the addresses that the source names')
      .option('--key-stdin', 'read the key of an encrypted source from the standard input')
      .option('--skip-errors', 'leave out and list the records with errors, and store all others a few at a time')
      .option('--dry-run', 'read and check everything, store nothing')
      .option('--json', 'print the result as JSON')
      .addHelpText('after', helpOf(format, help))
      .action(async (source: string, options: ForeignImportOptions) => {
        const { importForeignSource } = await import('./foreign-import-command.ts');
        ended(await importForeignSource(terminal, importer, source, options));
      });
  }
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const helpOf = (format: string, about: string): string => `
${about}

First --plan writes what the content becomes: look through it, and change it. Then --map imports. All records are stored, or none if any of
them has an error, unless --skip-errors is given. Running it again adds nothing twice. docs/coming-from-${format}.md describes the rest.

Examples:
  recto import ${format} SOURCE --plan
  recto import ${format} SOURCE --map ${importMapName} --dry-run
  recto import ${format} SOURCE --map ${importMapName}

Exit codes:
  0  done
  1  failed, with the reason: the source, the plan, a setting, a definition or the database is wrong
  2  the command line is invalid
`;
