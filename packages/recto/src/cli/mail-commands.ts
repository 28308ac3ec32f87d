import { Argument, type Command, Option } from 'commander';
import type { Terminal } from '../base/terminal.ts';
import { mailKinds, mailLanguages } from '../mail/templates/mail-kind.ts';
import type { PreviewOptions } from './mail-command.ts';

/** Adds `recto mail`. */
export function addMailCommands(program: Command, terminal: Terminal, ended: (exitCode: number) => void): void {
  const mail = program.command('mail').description('Try the mails of the service.').addHelpText('after', help);
  mail
    .command('test')
    .description('Send a test mail with the settings of the service, and print what went wrong.')
    .argument('<to>', 'the address that it goes to')
    .addHelpText('after', help)
    .action(async (to: string) => {
      const { sendTestMail } = await import('./mail-command.ts');
      ended(await sendTestMail(terminal, to));
    });
  mail
    .command('preview')
    .description('Print a mail as it would be sent, with made-up values.')
    .addArgument(new Argument('<kind>', 'which mail').choices(mailKinds))
    .addOption(new Option('--language <language>', 'the language').choices(mailLanguages).default('en'))
    .option('--html', 'the HTML part in place of the text')
    .addHelpText('after', help)
    .action(async (kind: string, options: PreviewOptions) => {
      const { previewMail } = await import('./mail-command.ts');
      ended(await previewMail(terminal, kind, options));
    });
}

const help = `
Settings of mail are RECTO_MAIL_URL, RECTO_MAIL_FROM and RECTO_URL; templates in RECTO_MAILS_DIR replace the built-in ones.

Examples:
  recto mail test ada@example.com
  recto mail preview test
  recto mail preview test --language de --html

Exit codes:
  0  done
  1  mail is off, the mail was not sent, or a template is wrong
  2  the command line is invalid`;
