import type { Command } from 'commander';
import type { Terminal } from '../base/terminal.ts';
import type { AnswerOptions } from './answer.ts';

type TypesOptions = AnswerOptions & {
  readonly out?: string;
  readonly files?: boolean;
  readonly client?: boolean;
  readonly hooks?: boolean;
};
type Ended = (exitCode: number) => void;

/** Adds `recto types`. */
export function addTypesCommand(program: Command, terminal: Terminal, ended: Ended): void {
  program
    .command('types')
    .description('Print TypeScript types of the content, for programs that call the API.')
    .option('--out <file>', 'write them to this file instead; what it held is replaced')
    .option('--files', 'of the definition files alone, without the types that a database has')
    .option('--client', 'without list responses, which @recto/client has types of its own for')
    .option('--hooks', "give the project's hooks, routes and jobs these types")
    .option('--json', 'print the result as JSON')
    .addHelpText('after', typesHelp)
    .action(async (options: TypesOptions) => {
      const { printTypes } = await import('./types-command.ts');
      ended(await printTypes(terminal, options));
    });
}

/** Adds `recto backup` and `recto restore`. */
export function addBackupCommands(program: Command, terminal: Terminal, ended: Ended): void {
  program
    .command('backup')
    .description('Copy the database, checked, while the service may be running.')
    .argument('<file>', 'the file to create; it must not exist yet')
    .option('--with-media', 'write one archive (tar) with the database and the files of media')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', backupHelp)
    .action(async (file: string, options: AnswerOptions & { readonly withMedia?: boolean }) => {
      const { backUp } = await import('./backup-command.ts');
      ended(await backUp(terminal, file, options));
    });
  program
    .command('restore')
    .description('Put a backup in the place of the database. The service must not be running.')
    .argument('<file>', 'a file created by "recto backup"')
    .option('--force', 'replace the database that is there, and keep it under a dated name')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', restoreHelp)
    .action(async (file: string, options: AnswerOptions & { readonly force?: boolean }) => {
      const { restore } = await import('./restore-command.ts');
      ended(await restore(terminal, file, options));
    });
}

/** Adds `recto doctor`. */
export function addDoctorCommand(program: Command, terminal: Terminal, ended: Ended): void {
  program
    .command('doctor')
    .description('Diagnose the installation and suggest fixes.')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', doctorHelp)
    .action(async (options: AnswerOptions) => {
      const { examine } = await import('./doctor-command.ts');
      ended(await examine(terminal, options));
    });
}

/** Adds `recto dev`. */
export function addDevCommand(program: Command, terminal: Terminal, ended: Ended): void {
  program
    .command('dev')
    .description('Serve the content types, and read them anew when their files change.')
    .addHelpText('after', devHelp)
    .action(async () => {
      const { runDevelopment } = await import('./dev-command.ts');
      ended(await runDevelopment(terminal));
    });
}

/** Adds `recto init`. */
export function addInitCommand(program: Command, terminal: Terminal, ended: Ended): void {
  program
    .command('init')
    .description('Begin a project: content types, settings, an example of the client.')
    .argument('[folder]', 'the project folder; created if missing', '.')
    .option('--template <name>', 'what it begins with: blank, magazine or blog-from-wordpress', 'magazine')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', initHelp)
    .action(async (folder: string, options: AnswerOptions & { readonly template: string }) => {
      const { initProject } = await import('./init-command.ts');
      ended(await initProject(terminal, folder, options));
    });
}

const exitCodesHelp = `
Exit codes:
  0  done
  1  failed, with the reason
  2  the command line is invalid`;

const backupHelp = `
The copy is of one moment, whatever is written meanwhile, and checked before it gets its name. It holds records, accounts and
hashes of passwords and tokens, and is readable by its owner alone. The file "secret" of the data folder is not part of it.
With --with-media, the exit code is 1 if files of media are missing or damaged; the archive has all others.

Examples:
  recto backup recto-backup.db
  recto backup recto-backup.tar --with-media
  recto backup "/var/backups/recto-$(date +%F).db"
${exitCodesHelp}`;

const restoreHelp = `
The backup is checked before anything is touched, and stays as it is. The files of an archive with media go into the configured
storage, each after a check of its bytes.

Examples:
  recto restore recto-backup.db
  recto restore recto-backup.tar
  recto restore recto-backup.db --force
${exitCodesHelp}`;

const devHelp = `
Like "recto start", and serves changed definitions without a restart: additions are made to the database, and if there is any
error the service keeps the previous definitions. Settings are read once.

Examples:
  recto dev
  RECTO_PORT=8080 recto dev

Exit codes:
  0  ended by a signal, in order
  1  not started (a setting, a definition, the data folder or the port is wrong), or failed
  2  the command line is invalid`;

const initHelp = `
Overwrites nothing: if one of its files exists, none is created.

Examples:
  recto init site
  recto init --template blank
${exitCodesHelp}`;

const doctorHelp = `
The runtime, settings, definitions, permissions, the database (read completely), whether the definitions fit it, disk space and the port.
Changes nothing; the service may be running.

Examples:
  recto doctor
  recto doctor --json

Exit codes:
  0  nothing would keep the service from starting; there may be warnings
  1  something would
  2  the command line is invalid`;

const typesHelp = `
Records, payloads and list answers of all content types, pages, posts and comments included; of types created through the API as
well, where there is a database. Needs none.

Examples:
  recto types > content.ts
  recto types --out site/content.ts
  recto types --hooks --out recto.d.ts

Exit codes:
  0  done
  1  failed: a setting or a definition is wrong, or the file cannot be written
  2  the command line is invalid`;
