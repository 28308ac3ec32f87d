import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import { version } from '../base/version.ts';
import { describeSettings, settingTable } from '../config/setting-table.ts';
import type { Settings } from '../config/settings.ts';
import { addTokenCommands, addUserCommands } from './account-commands.ts';
import type { CheckOptions } from './check-command.ts';
import { addJobsCommands } from './jobs-commands.ts';
import { addMailCommands } from './mail-commands.ts';
import { addMediaCommands } from './media-commands.ts';
import { addMigrateCommands, addUpgradeCommand } from './migrate-commands.ts';
import {
  addBackupCommands,
  addDevCommand,
  addDoctorCommand,
  addInitCommand,
  addTypesCommand,
} from './project-commands.ts';
import { reportFailure } from './report-failure.ts';
import { addSchemaCommands } from './schema/schema-commands.ts';
import { addTransferCommands } from './transfer-commands.ts';

/** Runs the `recto` command line; resolves with the exit code. Each command loads its own code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = createProgram(terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    return reportFailure(error, terminal);
  }
}

/** All commands; `ended` gets the exit code of the one that runs. */
export function createProgram(terminal: Terminal, ended: (exitCode: number) => void): Command {
  const program = new Command('recto')
    .description('A content management service: describe a content type in a small file, get a REST API for it.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride()
    .showHelpAfterError()
    // After an error, the list of settings would push the error out of sight.
    .addHelpText('after', ({ error }) => (error ? '' : settingsHelp()));

  program
    .command('start')
    .description('Serve the content types.')
    .option('--workers <count>', 'processes that serve, or auto: as many as there are cores', workersOption)
    .addHelpText('after', startHelp)
    .action(async ({ workers }: { readonly workers?: Settings['workers'] }) => {
      const { runStart } = await import('./start-command.ts');
      ended(await runStart(terminal, workers));
    });

  program
    .command('check')
    .description('Check the settings and the content type definitions, without starting anything.')
    .option('--files', 'the files alone, without the types that a database has')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', checkHelp)
    .action(async (options: CheckOptions) => {
      const { checkDefinitions } = await import('./check-command.ts');
      ended(await checkDefinitions(terminal, options));
    });

  addDevCommand(program, terminal, ended);
  addInitCommand(program, terminal, ended);
  addUserCommands(program, terminal, ended);
  addTokenCommands(program, terminal, ended);
  addJobsCommands(program, terminal, ended);
  addSchemaCommands(program, terminal, ended);
  addTypesCommand(program, terminal, ended);
  addBackupCommands(program, terminal, ended);
  addMediaCommands(program, terminal, ended);
  addMailCommands(program, terminal, ended);
  addMigrateCommands(program, terminal, ended);
  addUpgradeCommand(program, terminal, ended);
  addDoctorCommand(program, terminal, ended);
  addTransferCommands(program, terminal, ended);
  return program;
}

function workersOption(text: string): Settings['workers'] {
  const reading = settingTable.workers.type.read(text);
  if ('value' in reading) return reading.value;
  throw new InvalidArgumentError(`It must be ${reading.expected}.`);
}

const settingsHelp = (): string =>
  `\nSettings, by environment variable or (in lower case, without RECTO_) in recto.toml:\n${describeSettings()}`;

const startHelp = `
The service runs until SIGTERM or SIGINT: it then finishes the requests that run, within 5 seconds.
A second signal ends it at once. With more than one worker, this process starts them and replaces those that die.

Examples:
  recto start
  recto start --workers 1
  RECTO_PORT=8080 RECTO_DATA_DIR=/var/lib/recto recto start

Exit codes:
  0  ended by a signal, in order
  1  not started (a setting, a definition, the data folder or the port is wrong), or failed
  2  the command line is invalid`;

const checkHelp = `
Checks what a start would serve: the definition files and, where there is a database, the types created through the API.

Examples:
  recto check
  recto check --files
  recto check --json
  RECTO_CONTENT_TYPES_DIR=site/types recto check

Exit codes:
  0  all is right
  1  there are errors; all of them are printed
  2  the command line is invalid`;
