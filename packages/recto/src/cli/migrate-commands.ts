import type { Command } from 'commander';
import type { Terminal } from '../base/terminal.ts';
import type { ApplyOptions, PlanOptions } from './migrate-command.ts';
import type { UpgradeOptions } from './upgrade-command.ts';

/** Adds `recto migrate`. */
export function addMigrateCommands(program: Command, terminal: Terminal, ended: (exitCode: number) => void): void {
  const migrate = program
    .command('migrate')
    .description('Change the stored data to match the definitions.')
    .addHelpText('after', migrateHelp);
  withDrops(migrate.command('plan'))
    .description('Show how the database would have to change, in words and in SQL. Changes nothing.')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', planHelp)
    .action(async (options: PlanOptions) => {
      const { planMigration } = await import('./migrate-command.ts');
      ended(await planMigration(terminal, options));
    });
  withDrops(migrate.command('apply'))
    .description('Make those changes, after a backup. The service must not be running.')
    .option('--yes', 'do not ask')
    .option('--backup <file>', 'where the backup goes; else beside the database, with the time in its name')
    .option('--no-backup', 'do not create one')
    .option('--dry-run', 'as "recto migrate plan"')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', applyHelp)
    .action(async (options: ApplyOptions) => {
      const { applyMigration } = await import('./migrate-command.ts');
      ended(await applyMigration(terminal, options));
    });
}

/** Adds `recto upgrade`. */
export function addUpgradeCommand(program: Command, terminal: Terminal, ended: (exitCode: number) => void): void {
  program
    .command('upgrade')
    .description('Bring the database to this version, after a backup, without serving it.')
    .option('--check', 'print what that would change; changes nothing')
    .option('--no-backup', 'do not create one')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', upgradeHelp)
    .action(async (options: UpgradeOptions) => {
      const { upgrade } = await import('./upgrade-command.ts');
      ended(await upgrade(terminal, options));
    });
}

const upgradeHelp = `
A start does the same, without a backup. Run it with the new version, before that serves; with --check while the old one still runs.
A PostgreSQL database is not backed up from here: make a backup with pg_dump, and then use --no-backup.

Examples:
  recto upgrade --check
  recto upgrade

Exit codes:
  0  done, or nothing to do; with --check: the next start does it by itself
  1  not possible, with the reason
  2  the command line is invalid
  3  "recto migrate apply" is needed`;

const withDrops = (command: Command): Command =>
  command
    .option(
      '--drop <name>',
      'a type or field that no definition has any more, such as article.subtitle; can be given again',
      (name: string, before: readonly string[] = []) => [...before, name],
    )
    .option('--drop-unused', 'all of them');

const migrateHelp = `
Examples:
  recto migrate plan
  recto migrate apply`;

const planHelp = `
Examples:
  recto migrate plan
  recto migrate plan --drop article.subtitle --json

Exit codes:
  0  nothing to do: the next start makes all changes by itself
  1  not possible: stored data does not allow it; or a setting or a definition is wrong
  2  the command line is invalid
  3  "recto migrate apply" is needed`;

const applyHelp = `
All of it is done in one transaction: interrupted anywhere, all is as it was. What was left out of the definitions stays unless
it is named with --drop. A PostgreSQL database is not backed up from here: make one with pg_dump, and then use --no-backup.

Examples:
  recto migrate apply
  recto migrate apply --yes --backup /var/backups/recto.db
  recto migrate apply --drop article.subtitle

Exit codes:
  0  done, or there was nothing to do
  1  failed, with the reason, or not confirmed; nothing was changed
  2  the command line is invalid
  3  with --dry-run: "recto migrate apply" is needed`;
