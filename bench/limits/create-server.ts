import { Database } from 'bun:sqlite';

/**
 * The limit for a durable create: `Bun.serve` with one insert a transaction, the pragmas that Recto has too. Reads the database
 * file from its arguments; the body has the fields `title`, `summary`, `reads` and `featured`.
 */
const database = new Database(Bun.argv[2] ?? '', { create: true });
database.run('PRAGMA journal_mode = WAL');
database.run('PRAGMA synchronous = FULL');
database.run(`CREATE TABLE article (id TEXT NOT NULL PRIMARY KEY, title TEXT, summary TEXT, status TEXT, reads INTEGER,
  featured INTEGER, created_at TEXT, updated_at TEXT)`);
const insert = database.query(
  `INSERT INTO article VALUES (?, ?, ?, 'draft', ?, ?, ?, ?) RETURNING json_object('id', id, 'title', title, 'summary', summary,
    'status', status, 'reads', reads, 'featured', json(case featured when 1 then 'true' else 'false' end),
    'created_at', created_at, 'updated_at', updated_at) AS body`,
);
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    if (request.method === 'GET') return new Response('{}');
    const { title, summary, reads, featured } = (await request.json()) as Record<string, string | number>;
    const now = new Date().toISOString();
    const row = insert.get(
      Bun.randomUUIDv7(),
      String(title),
      String(summary),
      Number(reads),
      Number(featured),
      now,
      now,
    ) as { body: string };
    return new Response(row.body, { status: 201, headers: { 'Content-Type': 'application/json' } });
  },
});
process.stdout.write(`${server.url.origin}\n`);
