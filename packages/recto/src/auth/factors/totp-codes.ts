// Codes that an app shows and changes twice a minute (RFC 6238): SHA-1, six digits, 30 seconds, as all such apps have them.

/** What an app is set up with. */
export interface TotpSetup {
  /** In base32, for typing. */
  readonly secret: string;
  /** `otpauth://…`, for opening in an app on the same device. */
  readonly uri: string;
  /** A picture of that address, as SVG. */
  readonly qr: string;
}

/** Bytes; RFC 4226, section 4, recommends as many as SHA-1 has. */
const secretBytes = 20;
const digits = 6;
const period = 30;
const algorithm = 'SHA1';

/** How many codes before and after the present one are accepted, for clocks that are not exact. */
const tolerance = 1;

// Both are loaded when first used.
const library = () => import('otpauth');

export async function newTotp(issuer: string, account: string): Promise<TotpSetup> {
  const [{ Secret, TOTP }, { renderSVG }] = await Promise.all([library(), import('uqr')]);
  const secret = new Secret({ size: secretBytes });
  // A colon divides the two in the address.
  const named = { issuer: issuer.replaceAll(':', ' '), label: account.replaceAll(':', ' ') };
  const uri = new TOTP({ ...named, algorithm, digits, period, secret }).toString();
  return { secret: secret.base32, uri, qr: renderSVG(uri, { ecc: 'M', border: 4 }) };
}

/** The time step that a code is of, if it is one of those accepted now; undefined for a wrong code. `now` is in milliseconds since 1970. */
export async function totpStep(secret: string, code: string, now: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const { Secret, TOTP } = await library();
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm, digits, period });
  const delta = totp.validate({ token: code, timestamp: now, window: tolerance });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}
