import { SQL } from 'bun';

/**
 * The limit for an uncached get on PostgreSQL: `Bun.serve` and `Bun.SQL`, as they are by default, with one prepared statement
 * that makes the same JSON. Reads the database's URL and the statement (with one parameter, the id) from its arguments.
 */
const database = new SQL(Bun.argv[2] ?? '');
const statement = Bun.argv[3] ?? '';
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const id = request.url.slice(request.url.lastIndexOf('/') + 1);
    const [row]: { body: string }[] = await database.unsafe(statement, [id]);
    return row === undefined
      ? new Response(null, { status: 404 })
      : new Response(row.body, { headers: { 'Content-Type': 'application/json' } });
  },
});
process.stdout.write(`${server.url.origin}\n`);
