import { type EmailAddress, parseEmail } from '../base/email-address.ts';
import { hasInvisible } from '../base/invisible-characters.ts';
import type { Reading, SettingType } from './setting-type.ts';

/** Whether a connection is encrypted before anything is sent on it. */
export type MailTls = 'required' | 'preferred' | 'none';

/** A mail server. */
export interface SmtpLocation {
  readonly kind: 'smtp';
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps:`). */
  readonly secure: boolean;
  /** STARTTLS of a connection that begins without TLS. */
  readonly tls: MailTls;
  readonly user?: string;
  readonly password?: string;
  /** How long the server may take for each step, in seconds. */
  readonly timeoutSecs: number;
}

/** Where mails go. */
export type MailLocation =
  /** Kept in memory for the admin's inbox. */
  | { readonly kind: 'log' }
  /** One file a mail. */
  | { readonly kind: 'file'; readonly path: string }
  | SmtpLocation;

const fits = <T>(value: T): Reading<T> => ({ value });

const smtpOptions: ReadonlySet<string> = new Set(['tls', 'timeout']);

/** Where mails go. It may contain a password, so messages never repeat it. */
export const mailUrl: SettingType<MailLocation> = {
  expects: 'log:, file:FOLDER, smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT',
  isAddress: true,
  read(raw) {
    const text = String(raw);
    if (/^log:$/i.test(text)) return fits({ kind: 'log' });
    const folder = /^file:(?:\/\/(?=\/))?(.+)$/i.exec(text)?.[1];
    if (folder !== undefined && !folder.includes('\0')) return fits({ kind: 'file', path: folder });
    if (!/^smtps?:\/\//i.test(text) || !URL.canParse(text)) return { expected: this.expects };
    return smtpLocation(new URL(text));
  },
};

function smtpLocation(url: URL): Reading<SmtpLocation> {
  const expected = mailUrl.expects;
  const unknown = [...url.searchParams.keys()].find((name) => !smtpOptions.has(name));
  if (unknown !== undefined) return { expected: `${expected} ("${unknown}" is no option; there are tls and timeout)` };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isPlain = host !== '' && (url.pathname === '' || url.pathname === '/') && url.hash === '';
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (!isPlain || user === undefined || password === undefined || (user === '') !== (password === ''))
    return { expected };
  const secure = url.protocol === 'smtps:';
  // A password is not sent in the clear to another machine.
  const fallback = user !== '' && !/^(?:localhost|127\.[\d.]+|::1)$/.test(host) ? 'required' : 'preferred';
  const tls = url.searchParams.get('tls') ?? fallback;
  if (tls !== 'required' && tls !== 'preferred' && tls !== 'none')
    return { expected: `${expected} (tls is required, preferred or none)` };
  const timeout = url.searchParams.get('timeout') ?? '30';
  if (!/^[1-9]\d{0,2}$/.test(timeout)) return { expected: `${expected} (timeout is a number of seconds up to 999)` };
  return fits({
    kind: 'smtp',
    ...{ host, secure, tls },
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    ...(user === '' ? {} : { user, password }),
    timeoutSecs: Number(timeout),
  });
}

/** Undefined where the text is not percent-encoded as an address has it. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Whom mails are from. */
export interface MailSender {
  /** What mail programs show; empty for none. */
  readonly name: string;
  readonly email: EmailAddress;
}

/** `Name <address>`, or an address alone. */
export const mailSender: SettingType<MailSender> = {
  expects: 'an email address, or a name with one: Name <mail@example.com>',
  read(raw) {
    const text = String(raw).trim();
    const [, quoted = '', bracketed] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
    const email = parseEmail(bracketed ?? text);
    const name = quoted.replace(/^"(.*)"$/, '$1').trim();
    const isName = /^[^\p{Cc}<>"]{0,100}$/u.test(name) && !hasInvisible(name);
    return email === undefined || !isName ? { expected: this.expects } : fits({ name, email });
  },
};

/** The public origin of the service: a scheme, a host and a port, without a path. */
export const ownOrigin: SettingType<string> = {
  expects: 'the origin that people reach the service by, such as https://cms.example.com',
  isAddress: true,
  read(raw) {
    const text = String(raw).replace(/\/$/, '');
    const isOrigin = /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
    return isOrigin ? fits(text) : { expected: this.expects };
  },
};

/** A page that completes what links in mails are for. The token is behind `#`, so that no server and no log gets it. */
export const accountPage: SettingType<string> = {
  expects: 'an address with {token} behind #, such as https://example.com/account#{action}/{token}',
  isAddress: true,
  read(raw) {
    const text = String(raw);
    const [page = '', fragment = '', ...more] = text.split('#');
    const isPage = /^https?:\/\//.test(page) && URL.canParse(page) && !/[{}]/.test(page.replace('{action}', ''));
    const isFragment =
      fragment.includes('{token}') && !/[{}]/.test(fragment.replace('{action}', '').replace('{token}', ''));
    return isPage && isFragment && more.length === 0 ? fits(text) : { expected: this.expects };
  },
};
