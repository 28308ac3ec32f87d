import { Webhook as StandardWebhook } from 'standardwebhooks';

/** A message as a receiver got it. */
export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape, and a wrong path fails the test.
  readonly json: any;
}

export type Respond = (received: Received, request: Request) => Response | Promise<Response>;

/** A service that webhooks lead to, on this machine. */
export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  respond: Respond = () => new Response();
  readonly #server: Bun.Server<undefined>;
  #arrived = Promise.withResolvers<void>();

  constructor(options: { readonly tls?: Bun.TLSOptions } = {}) {
    this.#server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      ...options,
      fetch: async (request) => {
        const body = await request.text();
        const headers = Object.fromEntries(request.headers);
        const received = { id: headers['webhook-id'] ?? '', headers, body, json: JSON.parse(body) };
        this.received.push(received);
        this.#arrived.resolve();
        this.#arrived = Promise.withResolvers();
        return this.respond(received, request);
      },
    });
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  /** Resolves when what arrived is enough. */
  async until(enough: (received: readonly Received[]) => boolean): Promise<void> {
    while (!enough(this.received)) await this.#arrived.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

/** Verifies a message as the reference implementation does; throws where it does not hold. */
export function verify(secret: string, { headers, body }: Received): unknown {
  return new StandardWebhook(secret).verify(body, { ...headers });
}
