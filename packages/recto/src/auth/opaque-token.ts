/** Prefixes that let a person, or a scanner for leaked secrets, recognize a token. */
export const apiTokenPrefix = 'recto_';
export const refreshTokenPrefix = 'rrt_';
/** Of links in mails. */
export const accountTokenPrefix = 'rat_';
/** Of previews. */
export const previewTokenPrefix = 'rpt_';
/** Of what a code belongs to. */
export const challengePrefix = 'rch_';

/** A new secret: its prefix, then 256 random bits in base64url. */
export function newToken(prefix: string): string {
  return prefix + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

/**
 * The stored form of a token. A fast hash is enough: 256 random bits cannot be guessed, and the time of a look-up by hash
 * does not reveal how much of a token was right.
 */
export function tokenHash(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex');
}
