import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { mailUrl, type SmtpLocation } from '../../packages/recto/src/config/mail-setting-type.ts';
import type { Settings } from '../../packages/recto/src/config/settings.ts';
import { freePort } from './free-port.ts';

/** A mail as the server got it: the envelope, and what a mail program makes of it. */
export interface ReceivedMail {
  /** The addresses that it is delivered to, whatever its headers say. */
  readonly to: readonly string[];
  readonly from: string;
  readonly parsed: ParsedMail;
}

/** Answers with a code and closes nothing, or does not answer at all. */
type Fault =
  | { readonly at: 'mail' | 'rcpt' | 'data'; readonly code: number; readonly text?: string }
  | { readonly at: 'data'; readonly drop: true }
  | { readonly at: 'mail'; readonly hang: true };

/** A mail server of the test, on a port of its own. */
export class MailServer implements AsyncDisposable {
  readonly #received: ReceivedMail[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #options: SMTPServerOptions;
  #server: SMTPServer | undefined;
  #port = 0;
  /** All mails whose content has come, those that were rejected included. */
  readonly seen: ParsedMail[] = [];
  /** What goes wrong with the next mails, one fault each. */
  readonly faults: Fault[] = [];

  static async open(options: SMTPServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    await server.listen();
    return server;
  }

  private constructor(options: SMTPServerOptions) {
    this.#options = options;
  }

  get port(): number {
    return this.#port;
  }

  /** Listens, after `close` on the same port again. */
  async listen(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      disableReverseLookup: true,
      onMailFrom: (_address, _session, done) => this.#answer('mail', done),
      onRcptTo: (_address, _session, done) => this.#answer('rcpt', done),
      onData: (stream, session, done) => {
        const { mailFrom, rcptTo } = session.envelope;
        const fault = this.#take('data');
        // A mail that breaks off was not received.
        const parsing = simpleParser(stream).catch(() => undefined);
        void parsing.then((parsed) => {
          if (parsed === undefined) return done(smtpError(451));
          this.seen.push(parsed);
          const from = mailFrom === false ? '' : mailFrom.address;
          if (fault === undefined || 'drop' in fault) {
            this.#received.push({ to: rcptTo.map(({ address }) => address), from, parsed });
            for (const wake of this.#waiting.splice(0)) wake();
          }
          if (fault === undefined) done();
          else if ('drop' in fault) for (const one of server.connections as Set<{ close(): void }>) one.close();
          else if ('code' in fault) done(smtpError(fault.code, fault.text));
        });
      },
      ...this.#options,
    });
    server.on('error', () => undefined);
    if (this.#port === 0) this.#port = freePort();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#server = server;
  }

  #take(at: Fault['at']): Fault | undefined {
    return this.faults[0]?.at === at ? this.faults.shift() : undefined;
  }

  #answer(at: 'mail' | 'rcpt', done: (error?: Error | null) => void): void {
    const fault = this.#take(at);
    if (fault === undefined) done();
    else if ('code' in fault) done(smtpError(fault.code, fault.text));
  }

  /** All mails so far. */
  get received(): readonly ReceivedMail[] {
    return this.#received;
  }

  /** The mails to an address. */
  to(address: string): readonly ReceivedMail[] {
    return this.#received.filter((mail) => mail.to.includes(address));
  }

  /** Resolves once so many mails have arrived. */
  async arrived(count: number): Promise<readonly ReceivedMail[]> {
    while (this.#received.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    }
    return this.#received;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise<void>((resolve) => server.close(resolve));
    // The service keeps connections open for further mails.
    for (const one of server.connections as Set<{ close(): void }>) one.close();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** With a limit of so many seconds for each step: a short one is for tests of servers that do not answer. */
  locationFor(timeoutSecs: number): SmtpLocation {
    return smtpAddress(`smtp://127.0.0.1:${this.#port}?timeout=${timeoutSecs}`);
  }

  get location(): SmtpLocation {
    return this.locationFor(999);
  }

  /** The settings of a service that sends here. */
  get settings(): Partial<Settings> {
    return mailSettings(this.location);
  }
}

const smtpError = (code: number, text = 'no'): Error => Object.assign(new Error(text), { responseCode: code });

export function smtpAddress(text: string): SmtpLocation {
  const reading = mailUrl.read(text);
  if (!('value' in reading) || reading.value.kind !== 'smtp') throw new Error(`${text} is no mail server.`);
  return reading.value;
}

/** The settings of a service that sends mail somewhere. */
export const mailSettings = (location: NonNullable<Settings['mailUrl']>): Partial<Settings> => ({
  mailUrl: location,
  mailFrom: { name: 'Example Site', email: { address: 'mail@example.com', key: 'mail@example.com' } },
  url: 'https://cms.example.com',
  mailsDir: '/nonexistent/mails',
});
