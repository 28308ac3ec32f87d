import { Database } from 'bun:sqlite';

/**
 * The limit for an uncached get: `Bun.serve` with one prepared statement that makes the same JSON from the same database.
 * Reads the database file and the statement (with one parameter, the id) from its arguments.
 */
const database = new Database(Bun.argv[2] ?? '', { readonly: true });
const statement = database.query<{ body: string }, [string]>(Bun.argv[3] ?? '');
const server = Bun.serve({
  port: 0,
  fetch: (request) => {
    const id = request.url.slice(request.url.lastIndexOf('/') + 1);
    const row = statement.get(id);
    return row === null
      ? new Response(null, { status: 404 })
      : new Response(row.body, { headers: { 'Content-Type': 'application/json' } });
  },
});
process.stdout.write(`${server.url.origin}\n`);
