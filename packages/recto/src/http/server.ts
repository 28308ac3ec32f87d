import { isIP } from 'node:net';
import { FatalError } from '../base/fatal-error.ts';
import type { Logger } from '../base/logger.ts';
import type { App } from './app.ts';
import { unknownPeer } from './request-context.ts';

export interface ServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly log: Logger;
  /** Several processes share the port. */
  readonly reusePort?: boolean;
}

export interface Server {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Takes no more connections, lets running requests finish for at most `graceMs`, then closes what is left. */
  stop(graceMs: number): Promise<void>;
}

/** Serves the current app: `app` is called for each request, so that the app can be replaced. Throws `FatalError` where it cannot listen. */
export function serve(app: () => App, options: ServerOptions): Server {
  const server = listen(app, options);
  return {
    url: server.url.href.replace(/\/$/, ''),
    stop: (graceMs) => stop(server, graceMs, options.log),
  };
}

function listen(app: () => App, { host, port, log, reusePort }: ServerOptions): Bun.Server<undefined> {
  try {
    const server: Bun.Server<undefined> = Bun.serve({
      hostname: host,
      port,
      reusePort: reusePort ?? false,
      development: false,
      // Seconds without a byte in either direction.
      idleTimeout: 60,
      // The app rejects large bodies with a problem that says so; the runtime's own rejection has no body. Of a body that nobody
      // reads the runtime keeps a socket's buffer, no more.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request) => app().fetch(request, peerAddress),
      error(error) {
        log.error({ err: error }, 'request failed outside of the app');
        return new Response(null, { status: 500 });
      },
    });
    const peerAddress = (request: Request): string => server.requestIP(request)?.address ?? unknownPeer;
    return server;
  } catch (error) {
    throw new FatalError(`Cannot listen on ${host}, port ${port}: ${reason(error, host)}.`, error);
  }
}

const noAddress = 'this machine has no such address';

function reason(error: unknown, host: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return 'another program uses this port';
    case 'EADDRNOTAVAIL':
      return noAddress;
    case 'EACCES':
      return 'this account may not use this port (ports below 1024 take a privilege)';
    default:
      // The runtime reports a name that it cannot resolve with any code at all.
      if (isIP(host) === 0) return noAddress;
      return error instanceof Error ? error.message : String(error);
  }
}

async function stop(server: Bun.Server<undefined>, graceMs: number, log: Logger): Promise<void> {
  const deadline = performance.now() + graceMs;
  const closed = server.stop(false);
  // Connections that are kept alive without a request would hold `closed` back until they time out.
  while (server.pendingRequests > 0 && performance.now() < deadline) await Bun.sleep(pollMs);
  if (server.pendingRequests > 0) {
    log.warn(
      { requests: server.pendingRequests },
      'requests were cut off: they took longer than the time given for stopping',
    );
  }
  await server.stop(true);
  await closed;
}

const pollMs = 5;
