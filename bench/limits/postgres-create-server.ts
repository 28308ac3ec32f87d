import { SQL } from 'bun';

/**
 * The limit for a durable create on PostgreSQL: `Bun.serve` and `Bun.SQL`, as they are by default, with one insert a
 * transaction, which is one prepared statement that commits by itself. Reads the database's URL from its arguments; the body has
 * the fields `title`, `summary`, `reads` and `featured`.
 */
const database = new SQL(Bun.argv[2] ?? '');
await database.unsafe(`CREATE TABLE bare_article (id text COLLATE "C" NOT NULL PRIMARY KEY, title text, summary text, status text,
  reads bigint, featured boolean, created_at text, updated_at text)`);
const insert = `INSERT INTO bare_article VALUES ($1, $2, $3, 'draft', $4, $5, $6, $7) RETURNING json_build_object('id', id,
  'title', title, 'summary', summary, 'status', status, 'reads', reads, 'featured', featured, 'created_at', created_at,
  'updated_at', updated_at)::text AS body`;
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    if (request.method === 'GET') return new Response('{}');
    const { title, summary, reads, featured } = (await request.json()) as Record<string, string | number>;
    const now = new Date().toISOString();
    const values = [Bun.randomUUIDv7(), title, summary, reads, featured, now, now];
    const [row]: { body: string }[] = await database.unsafe(insert, values);
    return new Response(row?.body ?? null, { status: 201, headers: { 'Content-Type': 'application/json' } });
  },
});
process.stdout.write(`${server.url.origin}\n`);
