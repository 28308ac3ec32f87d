import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** Adds `recto import` and `recto export`. */
export function addTransferCommands(program: Command, terminal: Terminal, ended: (exitCode: number) => void): void {
  const imports = program.command('import').description('Bring content in.').addHelpText('after', importHelp);

  imports
    .command('wordpress')
    .description('Bring in the pages, posts, comments and authors of a WordPress export (Tools → Export).')
    .argument('<file>', 'the export, an XML file')
    .option('--dry-run', 'read and check everything, store nothing')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', wordpressHelp)
    .action(async (file: string, options: { readonly dryRun?: boolean; readonly json?: boolean }) => {
      const { importWordpressFile } = await import('./import-command.ts');
      ended(await importWordpressFile(terminal, file, options));
    });

  imports
    .command('json')
    .description('Bring in what `recto export` has written.')
    .argument('<path>', 'a folder of an export, or one file of it')
    .option('--type <name>', 'the type of the records in a single file that is not named after it')
    .option('--dry-run', 'check everything, store nothing')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', jsonHelp)
    .action(
      async (path: string, options: { readonly type?: string; readonly dryRun?: boolean; readonly json?: boolean }) => {
        const { importJson } = await import('./import-command.ts');
        ended(await importJson(terminal, path, options));
      },
    );

  program
    .command('export')
    .description('Write the records of all content types, pages, posts and comments included, as JSON.')
    .option('--type <name>', 'this type alone (its singular or its plural)')
    .option('--out <folder>', 'where to; it must be new or empty', 'export')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', exportHelp)
    .action(async (options: { readonly type?: string; readonly out: string; readonly json?: boolean }) => {
      const { exportTypes } = await import('./export-command.ts');
      ended(await exportTypes(terminal, options));
    });
}

const exitCodesHelp = `
Exit codes:
  0  done
  1  refused, with the reason: the file, a setting, a definition or the database is not right
  2  the command line is not right`;

const importHelp = `
Examples:
  recto import wordpress site.xml
  recto import json export/
${exitCodesHelp}`;

const wordpressHelp = `
The service may run meanwhile. The whole file is read before anything is stored. Running it again adds nothing twice, and
takes up what an interrupted run has left. docs/moving-from-wordpress.md tells what becomes of what.

Examples:
  recto import wordpress site.xml --dry-run
  recto import wordpress site.xml
${exitCodesHelp}`;

const jsonHelp = `
All records are stored, or, with any fault in any of them, none. A record whose id is there already stays as it is.

Examples:
  recto import json export/
  recto import json export/posts.ndjson --dry-run
  recto import json articles-of-may.ndjson --type article
${exitCodesHelp}`;

const exportHelp = `
One file a type, one record a line, in the order of their ids. Private fields and hashes of password fields are part of it:
the files are readable by their owner alone. Accounts are not part of it.

Examples:
  recto export
  recto export --type posts --out backup/posts
${exitCodesHelp}`;
