import { MailDelayed, MailRefused } from '../mail-problem.ts';

interface SmtpFailure {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

/** What is wrong, from the failures of the library. Nothing of the mail and no password is in it. */
export function smtpProblem(error: unknown): MailRefused | MailDelayed {
  // Every object may have these members, whose values are checked below.
  const { code, command, responseCode, response } = (error instanceof Error ? error : {}) as SmtpFailure;
  const step = typeof command === 'string' ? (command.split(/[\s:]/)[0] ?? '') : '';
  if (typeof responseCode !== 'number')
    return new MailDelayed(`The mail server cannot be used: ${reason(code, error)}.`);
  // A filter may repeat a part of the mail, with a link that opens an account: of what follows the mail only the number is kept.
  const said = step === 'DATA' ? '' : ` ${shown(response)}`;
  const answer = `The mail server answered ${responseCode}${step === '' ? '' : ` to ${step}`}${said}.`;
  const isAboutThisMail = code !== 'EAUTH' && (step === 'RCPT' || step === 'DATA');
  return responseCode >= 500 && isAboutThisMail ? new MailRefused(answer) : new MailDelayed(answer);
}

const shown = (response: unknown): string =>
  typeof response === 'string' ? `("${response.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200)}")` : '';

/** The library's own sentences, which name hosts and no secrets; of system errors the code. */
function reason(code: unknown, error: unknown): string {
  const message = error instanceof Error ? error.message.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200) : '';
  const text = message.replace(/\.$/, '');
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text;
}
