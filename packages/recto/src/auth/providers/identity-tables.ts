import type { Kysely } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Dialect } from '../../database/dialect.ts';
import { defineEngineTable, type EngineTable } from '../../database/engine/engine-table.ts';

/** One row for each account of a provider that somebody signs in with. */
export interface IdentitiesTable {
  readonly id: string;
  readonly account_id: string;
  /** The name of the provider when it was linked. */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  /** What the provider last said, to be shown. Never a key. */
  readonly email: string | null;
  readonly created_at: SqlValue;
  readonly last_used_at: SqlValue;
}

/** One row for each way back from a provider, until its page has used the code. */
export interface ProviderCodesTable {
  readonly hash: string;
  readonly purpose: string;
  readonly challenge: string;
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider asked for a second factor, and is trusted with that. */
  readonly mfa: SqlValue;
  readonly expires_at: SqlValue;
}

interface Tables {
  readonly recto_identities: IdentitiesTable;
  readonly recto_provider_codes: ProviderCodesTable;
}

/** The builder only compiles; the tables it may name are known only here. */
export const identityBuilder = ({ builder }: Dialect): Kysely<Tables> => builder as unknown as Kysely<Tables>;

const text = { kind: 'text' } as const;
const time = { kind: 'datetime' } as const;

export const identityTables: readonly EngineTable[] = [
  defineEngineTable<IdentitiesTable>({
    name: 'recto_identities',
    // One account of a provider belongs to one account here.
    key: ['issuer', 'subject'],
    columns: {
      id: { ...text, unique: true },
      account_id: text,
      provider: text,
      issuer: text,
      subject: text,
      email: { ...text, nullable: true },
      created_at: time,
      last_used_at: { ...time, nullable: true },
    },
    indexes: [{ name: 'recto_identities_account', columns: ['account_id'] }],
    migrations: [],
  }),
  defineEngineTable<ProviderCodesTable>({
    name: 'recto_provider_codes',
    key: ['hash'],
    columns: {
      hash: text,
      purpose: text,
      challenge: text,
      provider: text,
      issuer: text,
      subject: text,
      email: { ...text, nullable: true },
      mfa: { kind: 'boolean' },
      expires_at: time,
    },
    copy: false,
    indexes: [{ name: 'recto_provider_codes_expires', columns: ['expires_at'] }],
    migrations: [],
  }),
];
