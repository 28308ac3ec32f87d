/** The least that a start takes: a server that answers everything alike. */
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('{}') });
process.stdout.write(`http://127.0.0.1:${server.port}\n`);
