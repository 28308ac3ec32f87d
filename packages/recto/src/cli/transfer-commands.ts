import type { Command } from 'commander';
import type { Terminal } from '../base/terminal.ts';
import type { CopyCommandOptions } from './copy-command.ts';
import type { ExportOptions } from './export-command.ts';
import { addForeignCommands } from './foreign-commands.ts';
import type { CsvOptions, ImportOptions } from './import-command.ts';

/** Adds `recto import`, `recto export` and `recto copy`. */
export function addTransferCommands(program: Command, terminal: Terminal, ended: (exitCode: number) => void): void {
  const imports = program.command('import').description('Bring content in.').addHelpText('after', importHelp);

  imports
    .command('wordpress')
    .description('Bring in the pages, posts, comments and authors of a WordPress export (Tools → Export).')
    .argument('<file>', 'the export, an XML file')
    .option('--uploads <folder>', 'a copy of wp-content/uploads: its files are brought in as media')
    .option('--fetch', 'fetch the files that are not in that folder from the site')
    .option('--skip-other-languages', 'leave out what is in a language that the service does not have')
    .option('--dry-run', 'read and check everything, store nothing')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', wordpressHelp)
    .action(
      async (
        file: string,
        options: {
          readonly uploads?: string;
          readonly fetch?: boolean;
          readonly skipOtherLanguages?: boolean;
          readonly dryRun?: boolean;
          readonly json?: boolean;
        },
      ) => {
        const { importWordpressFile } = await import('./import-command.ts');
        ended(await importWordpressFile(terminal, file, options));
      },
    );

  imports
    .command('json')
    .description('Import files written by `recto export`.')
    .argument('<path>', 'a folder of an export, a tar archive of it, or one file with JSON objects')
    .option('--type <name>', 'the type of the records in a single file that is not named after it')
    .option('--with-media', 'take the files of media along, from media/ in the folder or the archive')
    .option('--skip-errors', 'leave out and list the records with errors, and store all others a few at a time')
    .option('--dry-run', 'check everything, store nothing')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', jsonHelp)
    .action(
      async (
        path: string,
        options: {
          readonly type?: string;
          readonly skipErrors?: boolean;
          readonly withMedia?: boolean;
          readonly dryRun?: boolean;
          readonly json?: boolean;
        },
      ) => {
        const { importJson } = await import('./import-command.ts');
        ended(await importJson(terminal, path, options));
      },
    );

  imports
    .command('csv')
    .description('Import the rows of a spreadsheet as records of one type.')
    .argument('<file>', 'a file with the names of its columns in the first line')
    .option('--type <name>', 'the type of the records; default: that which the file is named after')
    .option('--plan', 'print what the columns are taken for, as a plan that can be changed, and import nothing')
    .option('--map <plan>', 'a file with such a plan; default: the plan that --plan would print')
    .option('--skip-errors', 'leave out and list the rows with errors, and store all others a few at a time')
    .option('--dry-run', 'check everything, store nothing')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', csvHelp)
    .action(async (file: string, options: ImportOptions & CsvOptions) => {
      const { importCsv } = await import('./import-command.ts');
      ended(await importCsv(terminal, file, options));
    });

  addForeignCommands(imports, terminal, ended);

  program
    .command('export')
    .description('Write the records of all content types, pages, posts and comments included, as JSON.')
    .option('--type <name>', 'this type alone (its singular or its plural)')
    .option('--out <folder>', 'where to; it must be new or empty', 'export')
    .option('--with-media', 'write the files of media as well, into media/ in the folder')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', exportHelp)
    .action(async (options: ExportOptions) => {
      const { exportTypes } = await import('./export-command.ts');
      ended(await exportTypes(terminal, options));
    });

  program
    .command('copy')
    .description('Copy all that a database holds into an empty one, of the same kind or another.')
    .option('--from <database>', 'sqlite:PATH or postgres://…; default: the configured database')
    .requiredOption('--to <database>', 'sqlite:PATH or postgres://…; it must be empty, or hold an unfinished copy')
    .option('--restart', 'begin anew what an unfinished copy has left there')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', copyHelp)
    .action(async (options: CopyCommandOptions) => {
      const { copyTo } = await import('./copy-command.ts');
      ended(await copyTo(terminal, options));
    });
}

const exitCodesHelp = `
Exit codes:
  0  done
  1  failed, with the reason: the file, a setting, a definition or the database is wrong
  2  the command line is invalid`;

const importHelp = `
Examples:
  recto import wordpress site.xml
  recto import json export/
  recto import csv articles.csv
  recto import pocketbase pb_data --plan
${exitCodesHelp}`;

const wordpressHelp = `
The service may run meanwhile. The file is read completely before anything is stored. Running it again adds nothing twice, and
resumes an interrupted run. Translations of WPML and Polylang become one record, where the content types have localized fields and
RECTO_LANGUAGES their languages. docs/moving-from-wordpress.md lists how everything is converted.

Examples:
  recto import wordpress site.xml --dry-run
  recto import wordpress site.xml --uploads wp-content/uploads
  recto import wordpress site.xml --fetch
${exitCodesHelp}`;

const jsonHelp = `
All records are stored, or none if any of them has an error, unless --skip-errors is given. A record whose id exists already stays
as it is. A record without an id gets a new one, and is known by its content when it is imported again. Records of media whose files
are neither in the import nor in the storage are named; with --with-media, they make the exit code 1. "recto media add" takes the
files later.

Examples:
  recto import json export/
  recto import json export/ --with-media
  recto import json export/posts.ndjson --dry-run
  recto import json articles-of-may.ndjson --type article
${exitCodesHelp}`;

const csvHelp = `
All rows are stored, or none if any of them has an error, unless --skip-errors is given. Importing the same file again adds nothing. With
a "key" in the plan, a row whose record exists leaves it as it is, or with "existing": "update" changes it. docs/csv.md describes plans and
values.

Examples:
  recto import csv articles.csv --plan > plan.json
  recto import csv articles.csv --map plan.json --dry-run
  recto import csv articles.csv --map plan.json
  recto import csv prices.csv --type product
${exitCodesHelp}`;

const exportHelp = `
One file a type, one record a line, in the order of their ids. Private fields and hashes of password fields are part of it:
the files are readable by their owner alone. Accounts are not part of it. With --with-media, the exit code is 1 if files are
missing or damaged; all others are written.

Examples:
  recto export
  recto export --with-media
  recto export --type posts --out backup/posts
${exitCodesHelp}`;

const copyHelp = `
Records, relations, revisions, accounts, sessions, API tokens and content types created through the API: all of them, from one snapshot.
Whatever is written to the source after that is not in the copy, so stop the services that write to it. A copy that was
interrupted goes on when the command is run again; nothing serves the target before the checksums of all tables agree.

Examples:
  recto copy --to postgres://recto:secret@db.example.com/recto
  recto copy --from postgres://recto:secret@db.example.com/recto --to sqlite:recto.db
${exitCodesHelp}`;
