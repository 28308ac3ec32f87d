/** A passkey of an account. */
export interface Passkey {
  readonly id: string;
  readonly account: string;
  /** The id that the authenticator gave it, in base64url. */
  readonly credentialId: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
  readonly aaguid: string | null;
  readonly name: string;
  /** Canonical datetimes. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export type NewPasskey = Omit<Passkey, 'id' | 'createdAt' | 'lastUsedAt'>;
