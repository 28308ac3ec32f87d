import { Database } from 'bun:sqlite';

/**
 * The limit for an uncached list: `Bun.serve` with two prepared statements, one that makes the JSON of the items and one that
 * counts. Reads the database file and the statements (without parameters; the second may be empty) from its arguments.
 */
const database = new Database(Bun.argv[2] ?? '', { readonly: true });
const items = database.query<{ items: string }, []>(Bun.argv[3] ?? '');
const count = Bun.argv[4] ? database.query<{ total: number }, []>(Bun.argv[4]) : undefined;
const server = Bun.serve({
  port: 0,
  fetch: () => {
    const list = items.get()?.items ?? '[]';
    const total = count?.get()?.total ?? -1;
    return new Response(`{"items":${list},"total":${total},"page":1,"page_size":20}`, {
      headers: { 'Content-Type': 'application/json' },
    });
  },
});
process.stdout.write(`${server.url.origin}\n`);
