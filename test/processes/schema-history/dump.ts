import { Database as BunDatabase } from 'bun:sqlite';

/**
 * All that a SQLite file holds, as lines of text: every table, index and row, what is remembered of the schema among them. Not
 * how the search index keeps its words (`expectSchemaAgrees` looks at those), and not what SQLite counted for its planner.
 */
export function dump(path: string): readonly string[] {
  using file = new BunDatabase(path, { strict: true, readonly: true, safeIntegers: true });
  const made = file
    .query<{ name: string; type: string; sql: string | null }, []>(
      `SELECT name, type, sql FROM sqlite_schema WHERE name NOT LIKE '%$search\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\' ORDER BY name`,
    )
    .all();
  const tables = made.filter(({ type, sql }) => type === 'table' && sql !== null && !/^CREATE VIRTUAL/i.test(sql));
  const rows = tables.flatMap(({ name }) =>
    file
      .query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`)
      .all()
      .map((row) => `${name} ${JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))}`)
      .toSorted(),
  );
  return [...made.map(({ name, sql }) => `${name}: ${sql}`), ...rows];
}

/** The same as one short text, to compare by. */
export const fingerprint = (path: string): string =>
  new Bun.CryptoHasher('sha256').update(dump(path).join('\n')).digest('hex');
