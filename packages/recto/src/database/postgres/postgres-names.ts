/** PostgreSQL cuts longer names without a word, and two that are cut to the same would be one (https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS). */
const longestName = 63;

/**
 * The name under which the database keeps what the engine calls `name`: the name itself, or its beginning and a hash of it.
 * Names here are ASCII, so that a character is a byte.
 */
export function postgresName(name: string): string {
  if (name.length <= longestName) return name;
  const hash = new Bun.CryptoHasher('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.slice(0, longestName - hash.length - 1)}$${hash}`;
}

/** The name as an identifier of SQL. */
export const quoted = (name: string): string => `"${postgresName(name).replaceAll('"', '""')}"`;
