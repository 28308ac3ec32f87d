import { createServer, type Server, Socket } from 'node:net';

/** Stands between a client and a server, and passes nothing on while it holds: a network or a server that is slow. */
export class HoldingProxy implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #gate: Gate;

  static async before(url: string): Promise<HoldingProxy> {
    const { hostname, port } = new URL(url);
    const [sockets, gate] = [new Set<Socket>(), new Gate()];
    const server = createServer((client) => {
      const target = new Socket().connect(Number(port), hostname);
      for (const socket of [client, target]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          sockets.delete(socket);
          client.destroy();
          target.destroy();
        });
      }
      client.on('data', (data) => gate.run(() => target.write(data)));
      target.on('data', (data) => gate.run(() => client.write(data)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
    return new HoldingProxy(`http://127.0.0.1:${address.port}`, server, { sockets, gate });
  }

  private constructor(url: string, server: Server, parts: { readonly sockets: Set<Socket>; readonly gate: Gate }) {
    this.url = url;
    this.#server = server;
    this.#sockets = parts.sockets;
    this.#gate = parts.gate;
  }

  /** From now on, what is sent waits. */
  hold(): void {
    this.#gate.hold();
  }

  /** Resolves once something waits. */
  get holding(): Promise<void> {
    return this.#gate.holding;
  }

  /** Passes on what has waited, and what follows. */
  release(): void {
    this.#gate.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Runs work in its order, at once or when it opens. */
class Gate {
  #waiting: (() => void)[] | undefined;
  #held = Promise.withResolvers<void>();

  get holding(): Promise<void> {
    return this.#held.promise;
  }

  hold(): void {
    this.#waiting = [];
    this.#held = Promise.withResolvers();
  }

  run(work: () => void): void {
    if (this.#waiting === undefined) work();
    else {
      this.#waiting.push(work);
      this.#held.resolve();
    }
  }

  release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const work of waiting) work();
  }
}
