import type { Command } from 'commander';
import type { Terminal } from '../base/terminal.ts';
import type { AnswerOptions } from './answer.ts';
import type { SweepOptions } from './media-command.ts';

/** Adds `recto media`. */
export function addMediaCommands(program: Command, terminal: Terminal, ended: (exitCode: number) => void): void {
  const media = program
    .command('media')
    .description('Check, move and clean up the files of media.')
    .addHelpText('after', help);

  media
    .command('verify')
    .description('Check that records and stored files agree, and that all bytes have their hashes.')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', verifyHelp)
    .action(async (options: AnswerOptions) => {
      const { verify } = await import('./media-command.ts');
      ended(await verify(terminal, options));
    });

  media
    .command('add <folder>')
    .description('Store the files that records lack, from a folder, in which they are found by their hashes.')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', addHelp)
    .action(async (folder: string, options: AnswerOptions) => {
      const { add } = await import('./media-command.ts');
      ended(await add(terminal, folder, options));
    });

  media
    .command('move')
    .description('Copy all files to another storage. Run again, it copies what is missing there.')
    .requiredOption('--to <storage>', 'file:PATH or s3://BUCKET/PREFIX?endpoint=…&region=…')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', moveHelp)
    .action(async (options: AnswerOptions & { readonly to: string }) => {
      const { move } = await import('./media-command.ts');
      ended(await move(terminal, options));
    });

  media
    .command('sweep')
    .description('Remove what interrupted uploads and removals have left in the storage.')
    .option('--older-than <time>', 'leave what is younger: 30m, 2h, 7d; it may belong to an upload that runs', '1h')
    .option('--hours <hours>', 'the same in hours, as in earlier versions')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', sweepHelp)
    .action(async (options: SweepOptions) => {
      const { sweep } = await import('./media-command.ts');
      ended(await sweep(terminal, options));
    });
}

const exitCodes = `
Exit codes:
  0  done
  1  files are missing or damaged, or the command failed, with the reason
  2  the command line is invalid`;

const help = `
The service may run meanwhile.

Examples:
  recto media verify
  recto media add export/media
  recto media move --to s3://files/site?region=eu-central-1
${exitCodes}`;

const verifyHelp = `
Reads every stored byte and changes nothing. Files of no record are errors once they are older than an hour: before that, they
may be of uploads that are not finished, and are only counted.

Examples:
  recto media verify
  recto media verify --json
${exitCodes}`;

const addHelp = `
For records that were imported without their files, and for files that the storage has lost. Names and subfolders do not
matter. Files that no record names are left where they are.

Examples:
  recto media add export/media
  recto media add /backup/site/data/media
${exitCodes}`;

const moveHelp = `
Removes nothing, and changes no setting: set RECTO_STORAGE_URL to the new storage afterwards, restart the service, and run the
command once more with the old storage for what was uploaded meanwhile.

Examples:
  recto media move --to s3://files/site?region=eu-central-1
  RECTO_STORAGE_URL=s3://files/site recto media move --to file:/srv/media
${exitCodes}`;

const sweepHelp = `
A service removes the files of removed records itself. This is for what a crash has left. What stays because it is too young
is counted, with the time from which it is removed. With --older-than 0m, no upload may be running.

Examples:
  recto media sweep
  recto media sweep --older-than 1d
${exitCodes}`;
