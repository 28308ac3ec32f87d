import type { Logger } from '../../base/logger.ts';
import { serve } from '../../http/server.ts';

export interface PortClaim {
  readonly url: string;
  readonly port: number;
  /** Leaves the port to the workers that listen by then. */
  release(): Promise<void>;
}

/**
 * Takes a port that several processes are to share; port 0: any that is free. Until it is released, requests get
 * 503 with `Retry-After`. Throws `FatalError` where the port is not free: sharing it would otherwise work even with another
 * Recto of the same user, which then answered half of the requests.
 */
export async function claimPort({ host, port, log }: { host: string; port: number; log: Logger }): Promise<PortClaim> {
  const alone = serve(() => ({ fetch: comeAgain }), { host, port, log });
  const found = Number(new URL(alone.url).port) || defaultPort;
  await alone.stop(0);
  const shared = serve(() => ({ fetch: comeAgain }), { host, port: found, log, reusePort: true });
  return { url: shared.url, port: found, release: () => shared.stop(0) };
}

/** Left out of an `http:` address. */
const defaultPort = 80;

const comeAgain = (): Response =>
  new Response(null, { status: 503, headers: { 'Retry-After': '1', Connection: 'close' } });
