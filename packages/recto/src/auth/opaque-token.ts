/** The prefixes tell a person, or a scanner for leaked secrets, what a token is. */
export const apiTokenPrefix = 'recto_';
export const refreshTokenPrefix = 'rrt_';

/** A new secret of 256 random bits, in base64url after its prefix. */
export function newToken(prefix: string): string {
  return prefix + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

/**
 * What is stored of a token. A fast hash will do: 256 random bits cannot be guessed, and a look-up by hash tells no
 * time of how much of a token was right.
 */
export function tokenHash(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex');
}
