import type { SqlValue } from '../../base/bindings.ts';
import { defineEngineTable, type EngineTable } from '../../database/engine/engine-table.ts';

/** A time or a flag as this database stores it: written and read by `AuthSql`. */
type Stored = SqlValue;

/** One row a passkey. */
export interface PasskeysTable {
  readonly id: string;
  readonly account_id: string;
  /** The id that the authenticator gave it, in base64url. */
  readonly credential_id: string;
  /** COSE, in base64url. Keys that withstand quantum computers have more than a kilobyte. */
  readonly public_key: string;
  /** How often the authenticator says that it was used; 0 where it does not count. */
  readonly counter: number | bigint;
  /** How a browser reaches the authenticator, separated by spaces. */
  readonly transports: string;
  /** Whether it is synchronized between devices. */
  readonly backed_up: Stored;
  /** The model of the authenticator; null: it does not say. */
  readonly aaguid: string | null;
  readonly name: string;
  readonly created_at: Stored;
  readonly last_used_at: Stored;
}

/** One row an account that has, or is about to have, an app that shows codes. */
export interface TotpTable {
  readonly account_id: string;
  /** Encrypted: see `TextSeal`. */
  readonly sealed_secret: string;
  /** The time step of the last code that was accepted: it and earlier ones are never accepted again. */
  readonly last_step: number | bigint;
  readonly created_at: Stored;
  /** Null: its owner has not shown yet that the app works. */
  readonly confirmed_at: Stored;
}

/** One row a code. Codes are random, so that they work without the key that seals the other secrets. */
export interface RecoveryCodesTable {
  readonly account_id: string;
  readonly hash: string;
  readonly used_at: Stored;
}

/** One row a sign-in, or another act, that waits for a second factor or a passkey. */
export interface ChallengesTable {
  /** The hash of the challenge. */
  readonly id: string;
  readonly purpose: string;
  /** Null: whoever has the passkey. */
  readonly account_id: string | null;
  /** The session that it belongs to; null: one is about to begin. */
  readonly session_id: string | null;
  /** What was proved before: see `Proof`. */
  readonly proof: string | null;
  /** Changes with the password, which ends the challenge; null where it has none. */
  readonly password_generation: string | null;
  readonly created_at: Stored;
  readonly expires_at: Stored;
  readonly tries: number;
}

export interface FactorTables {
  readonly recto_passkeys: PasskeysTable;
  readonly recto_totp: TotpTable;
  readonly recto_recovery_codes: RecoveryCodesTable;
  readonly recto_challenges: ChallengesTable;
}

const text = { kind: 'text' } as const;
const time = { kind: 'datetime' } as const;
const number = { kind: 'integer' } as const;
const textOrNull = { ...text, nullable: true } as const;
const timeOrNull = { ...time, nullable: true } as const;

/** The tables of second factors. */
export const factorTables: readonly EngineTable[] = [
  defineEngineTable<PasskeysTable>({
    name: 'recto_passkeys',
    key: ['id'],
    columns: {
      id: text,
      account_id: text,
      credential_id: { ...text, unique: true },
      public_key: text,
      counter: number,
      transports: text,
      backed_up: { kind: 'boolean' },
      aaguid: textOrNull,
      name: text,
      created_at: time,
      last_used_at: timeOrNull,
    },
    indexes: [{ name: 'recto_passkeys_account', columns: ['account_id'] }],
    migrations: [],
  }),
  defineEngineTable<TotpTable>({
    name: 'recto_totp',
    key: ['account_id'],
    columns: {
      account_id: text,
      sealed_secret: text,
      last_step: number,
      created_at: time,
      confirmed_at: timeOrNull,
    },
    migrations: [],
  }),
  defineEngineTable<RecoveryCodesTable>({
    name: 'recto_recovery_codes',
    key: ['account_id', 'hash'],
    columns: { account_id: text, hash: text, used_at: timeOrNull },
    migrations: [],
  }),
  defineEngineTable<ChallengesTable>({
    name: 'recto_challenges',
    key: ['id'],
    columns: {
      id: text,
      purpose: text,
      account_id: textOrNull,
      session_id: textOrNull,
      proof: textOrNull,
      password_generation: textOrNull,
      created_at: time,
      expires_at: time,
      tries: number,
    },
    indexes: [
      { name: 'recto_challenges_account', columns: ['account_id'] },
      { name: 'recto_challenges_expires', columns: ['expires_at'] },
    ],
    // They live for minutes, in the database that gave them out.
    copy: false,
    migrations: [],
  }),
];
