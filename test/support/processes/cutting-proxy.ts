import { connect, createServer, type Socket } from 'node:net';

/** What becomes of the first COMMIT that passes: it is lost on its way there, or its answer on the way back. */
export type Cut = 'before the commit' | 'after the commit';

/** Stands between a service and its database, and breaks connections on demand. */
export class CuttingProxy implements AsyncDisposable {
  /** The database's address by way of the proxy. */
  readonly url: string;
  /** The next COMMIT is cut like this; undefined: all is passed on. */
  cut: Cut | undefined;
  /** Whether nobody gets through any more once that has happened. */
  thenClosed = false;
  /** How many commits have been cut. */
  cuts = 0;
  readonly #server: ReturnType<typeof createServer>;
  readonly #sockets = new Set<Socket>();
  #closed = false;
  #frozen = false;

  static async before(url: string): Promise<CuttingProxy> {
    const target = new URL(url);
    const made: { proxy?: CuttingProxy } = {};
    const server = createServer((client) => made.proxy?.pass(client, target));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
    const own = new URL(url);
    own.host = `127.0.0.1:${address.port}`;
    // Connections that hang here are given up as they are by default.
    own.searchParams.delete('connect_timeout');
    made.proxy = new CuttingProxy(server, own.href);
    return made.proxy;
  }

  private constructor(server: ReturnType<typeof createServer>, url: string) {
    this.#server = server;
    this.url = url;
  }

  pass(client: Socket, target: URL): void {
    if (this.#closed) {
      client.destroy();
      return;
    }
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.on('data', (data) => {
      const cut = data.includes('COMMIT') ? this.cut : undefined;
      if (cut === undefined) {
        database.write(data);
        return;
      }
      this.cut = undefined;
      this.cuts += 1;
      this.#closed = this.thenClosed;
      // A client that is cut off for good has no connection left to ask on.
      const cutOff = (): unknown => (this.thenClosed ? this.cutAll() : client.destroy());
      if (cut === 'before the commit') cutOff();
      // The database runs the statement; its answer reaches nobody.
      else database.write(data, () => setTimeout(cutOff, 50));
      database.removeAllListeners('data');
    });
    database.on('data', (data) => {
      if (!this.#frozen) client.write(data);
    });
  }

  /** From now on nothing that the database says gets through; connections stay open. */
  freeze(): void {
    this.#frozen = true;
  }

  /** Breaks every connection. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets everyone through again, also what the database says from then on. */
  open(): void {
    this.#closed = false;
    this.#frozen = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
