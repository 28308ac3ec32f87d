import { readFileSync } from 'node:fs';

/** The lowest port that is ours, and where the system begins to hand out ports by itself. */
const lowest = 10_000;
const usualStart = 32_768;

/** Linux says from where on it hands out ports; other systems begin later than Linux does. */
function startOfSystem(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/)[0]);
  } catch {
    return usualStart;
  }
}

/**
 * A port that nobody uses, for a program that cannot be given port 0, or that comes back to its port later. The system never hands it
 * out by itself, to a server that asks for any port or to a client: while nobody listens on it, nobody else gets it.
 */
export function freePort(): number {
  const end = startOfSystem();
  // A system that hands out nearly all ports leaves no others.
  const [from, to] = end > lowest + 1_000 ? [lowest, end] : [lowest, 65_536];
  for (;;) {
    const port = from + Math.floor(Math.random() * (to - from));
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data: () => undefined } }).stop(true);
      return port;
    } catch {
      // Somebody listens there.
    }
  }
}
