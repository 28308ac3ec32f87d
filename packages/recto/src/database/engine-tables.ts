import type { Database } from './database.ts';

/** The tables that the engine itself needs on every database, made when one is opened. */
export const engineTables: readonly string[] = [
  // What the tables of each content type can hold: the storage of its fields, and of those that are no longer defined.
  `CREATE TABLE IF NOT EXISTS recto_schema (
    type text NOT NULL PRIMARY KEY,
    snapshot text NOT NULL,
    dormant text NOT NULL
  )`,
  // The answers to requests that may come once more. `expires_at` is in milliseconds since 1970.
  `CREATE TABLE IF NOT EXISTS recto_idempotency_keys (
    id text NOT NULL PRIMARY KEY,
    fingerprint text NOT NULL,
    expires_at bigint NOT NULL,
    status integer,
    headers text NOT NULL,
    body text
  )`,
  'CREATE INDEX IF NOT EXISTS "recto_idempotency_keys$expires_at$index" ON recto_idempotency_keys (expires_at)',
  // Versions of records. `changed` and `private_fields` are JSON arrays of field names, `body` the record as a JSON object.
  `CREATE TABLE IF NOT EXISTS recto_revisions (
    type text NOT NULL,
    record text NOT NULL,
    revision integer NOT NULL,
    action text NOT NULL,
    author text,
    author_kind text,
    at text NOT NULL,
    restored_from integer,
    changed text NOT NULL,
    private_fields text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (type, record, revision)
  )`,
  'CREATE INDEX IF NOT EXISTS "recto_revisions$at$index" ON recto_revisions (type, at)',
  // The content types that were made through the API, as JSON.
  `CREATE TABLE IF NOT EXISTS recto_content_types (
    singular text NOT NULL PRIMARY KEY,
    definition text NOT NULL,
    revision integer NOT NULL,
    keeper text NOT NULL,
    author text,
    created_at text NOT NULL,
    updated_at text NOT NULL
  )`,
  // What each of them was before. A removal has no definition.
  `CREATE TABLE IF NOT EXISTS recto_content_type_revisions (
    singular text NOT NULL,
    revision integer NOT NULL,
    action text NOT NULL,
    definition text,
    author text,
    made_at text NOT NULL,
    PRIMARY KEY (singular, revision)
  )`,
];

/**
 * Runs statements that make tables where they are missing (`CREATE … IF NOT EXISTS`), in one transaction.
 * They come from `dialect.builder.schema`, or are text that every database here understands.
 */
export function ensureTables(
  database: Database,
  statements: readonly (string | { compile(): { readonly sql: string } })[],
): Promise<void> {
  return database.transaction(async (transaction) => {
    for (const statement of statements) {
      const { sql } = typeof statement === 'string' ? { sql: statement } : statement.compile();
      await transaction.run({ sql, parameters: [] });
    }
  });
}
