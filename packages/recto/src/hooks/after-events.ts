import type { Caller } from '../base/caller.ts';
import type { LoggedEvent } from '../events/logged-event.ts';

/** How many times `after` hooks may lead to one another, by the changes that they make. */
export const mostRounds = 5;

/** Where a change comes from that an `after` hook made. */
interface Origin {
  /** How many hooks led to it. */
  readonly rounds: number;
  readonly hook: string;
}

/**
 * The id of the request that an `after` hook's changes are logged under. It has colons, which ids that clients send cannot have: nobody
 * else can pass a change off as a hook's.
 */
export function requestOf(hook: string, { seq, request_id: request }: LoggedEvent): string {
  const rounds = (originOf(request)?.rounds ?? 0) + 1;
  return `hook:${rounds}:${seq}:${hook}`;
}

function originOf(request: string | null): Origin | undefined {
  const [, rounds, hook] = /^hook:(\d+):\d+:(.+)$/.exec(request ?? '') ?? [];
  return rounds === undefined || hook === undefined ? undefined : { rounds: Number(rounds), hook };
}

/** Whether a hook runs for a change: not for its own, and not at the end of a long chain. */
export function runsFor(hook: string, { request_id: request }: LoggedEvent): 'runs' | 'own' | 'too_deep' {
  const origin = originOf(request);
  if (origin === undefined) return 'runs';
  if (origin.hook === hook) return 'own';
  return origin.rounds >= mostRounds ? 'too_deep' : 'runs';
}

/** The service itself, in what code of the deployment does, and for the tenant that it is about. */
export const systemFor = (request: string | undefined, tenant: string | null | undefined): Caller => ({
  kind: 'anonymous',
  isSystem: true,
  ...(request === undefined ? {} : { request }),
  ...(tenant === null || tenant === undefined ? {} : { visited: tenant }),
});
