import type { MailSender, SmtpLocation } from '../../config/mail-setting-type.ts';
import type { MailTransport } from './mail-transport.ts';
import { composed } from './smtp-mail.ts';
import { smtpProblem } from './smtp-problem.ts';

/** Connections to the server at a time, from one process. */
export const smtpConnections = 4;

/** How long connections stay open without a mail, in milliseconds. */
const idleMs = 5_000;

/** Sends mails to a server, on connections that are kept for the next mails of the same moment. */
export async function smtpTransport(location: SmtpLocation, from: MailSender): Promise<MailTransport> {
  const { createTransport } = await import('nodemailer');
  const { host, port, secure, tls, user, password, timeoutSecs } = location;
  const timeout = timeoutSecs * 1_000;
  const open = () =>
    createTransport({
      ...{ host, port, secure },
      pool: true,
      maxConnections: smtpConnections,
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'none',
      ...(user === undefined || password === undefined ? {} : { auth: { user, pass: password } }),
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
      dnsTimeout: timeout,
    });
  let pool: ReturnType<typeof open> | undefined;
  let idle: Timer | undefined;
  let sending = 0;
  const close = (): void => {
    clearTimeout(idle);
    pool?.close();
    pool = undefined;
  };
  return {
    async send(message, signal) {
      clearTimeout(idle);
      sending += 1;
      pool ??= open();
      try {
        await abortable(pool.sendMail(composed(message, from)), signal);
      } catch (error) {
        throw smtpProblem(error);
      } finally {
        sending -= 1;
        if (sending === 0) {
          idle = setTimeout(close, idleMs);
          idle.unref();
        }
      }
    },
    async check() {
      pool ??= open();
      try {
        await pool.verify();
      } catch (error) {
        throw smtpProblem(error);
      }
    },
    close,
  };
}

/** Rejects when the service stops: a server that hangs must not hold it up. */
async function abortable<T>(sent: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return sent;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(new Error('The service stops.'));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([sent, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    sent.catch(() => undefined);
  }
}
