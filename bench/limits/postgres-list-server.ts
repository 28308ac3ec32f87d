import { SQL } from 'bun';

/**
 * The limit for an uncached list on PostgreSQL: `Bun.serve` and `Bun.SQL`, as they are by default, with two prepared
 * statements at once, one that makes the JSON of the items and one that counts. Reads the database's URL and the
 * statements (with one parameter that is `true`) from its arguments.
 */
const database = new SQL(Bun.argv[2] ?? '');
const [items = '', count = ''] = Bun.argv.slice(3);
const server = Bun.serve({
  port: 0,
  fetch: async () => {
    const [list, counted]: [{ items: string }[], { total: string }[]] = await Promise.all([
      database.unsafe(items, [true]),
      database.unsafe(count, [true]),
    ]);
    return new Response(
      `{"items":${list[0]?.items ?? '[]'},"total":${counted[0]?.total ?? -1},"page":1,"page_size":20}`,
      { headers: { 'Content-Type': 'application/json' } },
    );
  },
});
process.stdout.write(`${server.url.origin}\n`);
