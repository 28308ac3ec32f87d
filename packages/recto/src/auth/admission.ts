/** Made here alone. */
declare const admitted: unique symbol;

/** The kinds of second factors, the one to offer first ahead. */
export const factorMethods = ['passkey', 'totp', 'recovery_code'] as const;
export type FactorMethod = (typeof factorMethods)[number];

/** What was proved at first, where a second factor can follow. */
export const firstProofs = ['password', 'code', 'provider'] as const;
export type FirstProof = (typeof firstProofs)[number];

/** How a session was signed in, as it is kept with it. */
export type SignInMethod = FirstProof | FactorMethod;

/** What somebody has proved who wants into an account. Each way in says what it has seen itself. */
export type Proof =
  /** The right password. */
  | { readonly kind: 'password' }
  /** The password of an account that did not exist before. */
  | { readonly kind: 'registration' }
  /** The link of an invitation, with which a password was chosen. */
  | { readonly kind: 'invitation' }
  /** A code that was mailed. */
  | { readonly kind: 'code' }
  /** The password in a session that is about to end, whose factors the next one takes over. */
  | { readonly kind: 'renewal'; readonly before: SessionProof | undefined }
  /** A passkey alone, with which the authenticator has verified who uses it. */
  | { readonly kind: 'passkey'; readonly userVerified: true }
  /** What another service says; `mfa`: it has asked for a second factor, and is trusted with that. */
  | { readonly kind: 'provider'; readonly mfa: boolean }
  /** A second factor after the first proof. `auth/factors` has checked it. */
  | { readonly kind: 'second_factor'; readonly first: FirstProof; readonly method: FactorMethod };

/** What a session knows of how it was signed in. */
export interface SessionProof {
  readonly methods: readonly SignInMethod[];
  /** Whether a second factor was given, or enrolled, in it. */
  readonly secondFactor: boolean;
  /** When its owner last proved to be there, in milliseconds since 1970; null: not yet. */
  readonly steppedUpAt: number | null;
}

/** The right to begin a session: no session begins without one, and there is no other way to get one than `admit`. */
export type Admission = SessionProof & { readonly [admitted]: true };

/**
 * The gate: whether what was proved is enough for an account that has (or has not) a second factor. Undefined where the second factor
 * is missing.
 */
export function admit(proof: Proof, hasFactor: boolean, now: number): Admission | undefined {
  const session = sessionOf(proof, hasFactor, now);
  if (hasFactor && !session.secondFactor) return undefined;
  // The only place that makes one.
  return session as Admission;
}

function sessionOf(proof: Proof, hasFactor: boolean, now: number): SessionProof {
  switch (proof.kind) {
    case 'password':
    case 'registration':
    case 'invitation':
      return { methods: ['password'], secondFactor: false, steppedUpAt: now };
    case 'code':
      // Whoever reads the mails of an account may not change how it is protected.
      return { methods: ['code'], secondFactor: false, steppedUpAt: null };
    case 'renewal': {
      const { methods = [], secondFactor = false, steppedUpAt = null } = proof.before ?? {};
      const all = methods.includes('password') ? methods : [...methods, 'password' as const];
      return { methods: all, secondFactor, steppedUpAt: hasFactor ? steppedUpAt : now };
    }
    case 'passkey':
      return { methods: ['passkey'], secondFactor: proof.userVerified, steppedUpAt: now };
    case 'provider':
      return { methods: ['provider'], secondFactor: proof.mfa, steppedUpAt: now };
    case 'second_factor':
      return { methods: [proof.first, proof.method], secondFactor: true, steppedUpAt: now };
  }
}
