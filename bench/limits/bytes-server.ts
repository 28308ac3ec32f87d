export {};

/** The limit for a cached answer: `Bun.serve` that returns the same bytes with the same content type. Reads the body from the file named first. */
const body = await Bun.file(Bun.argv[2] ?? '').bytes();
const server = Bun.serve({
  port: 0,
  fetch: () => new Response(body, { headers: { 'Content-Type': 'application/json' } }),
});
process.stdout.write(`${server.url.origin}\n`);
