import { type ChildServer, processorSeconds, residentMebibytes } from './child-server.ts';
import { type LoadResult, load } from './load.ts';
import { logProgress } from './progress.ts';
import { fixed } from './table.ts';

export interface Contender {
  readonly server: ChildServer;
  readonly path: string;
  /** JSON; makes the request a POST. */
  readonly body?: string;
}

/** Compares one operation with its limit, alternating round by round, so that a drift in machine speed affects both. */
export interface Comparison {
  readonly operation: string;
  /** The required ratio. */
  readonly target: number;
  readonly ours: Measured;
  readonly limit: Measured;
  /** Requests a second, ours over the limit's, round by round. */
  readonly ratios: readonly number[];
}

/** Medians over the rounds. */
export interface Measured extends Omit<LoadResult, 'faults'> {
  /** Processor microseconds that a request took in the server process. */
  readonly microseconds: number;
  /** Resident memory of the server process after the rounds. */
  readonly mebibytes: number;
}

export interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

export async function compare(
  operation: string,
  target: number,
  ours: Contender,
  limit: Contender,
  options: RoundOptions,
): Promise<Comparison> {
  logProgress(operation);
  // One round to warm up, which does not count.
  await measure(operation, ours, options);
  await measure(operation, limit, options);
  const rounds = [];
  for (let round = 0; round < options.rounds; round += 1) {
    rounds.push({
      ours: await measure(operation, ours, options),
      limit: await measure(operation, limit, options),
    });
  }
  const ratios = rounds.map((round) => round.ours.requestsPerSecond / round.limit.requestsPerSecond);
  logProgress(`${operation}: ${fixed(median(ratios))} of the limit`);
  return {
    operation,
    target,
    ours: middle(rounds.map((round) => round.ours)),
    limit: middle(rounds.map((round) => round.limit)),
    ratios,
  };
}

/** One round of one server. */
export async function measure(
  operation: string,
  { server, path, body }: Contender,
  options: Omit<RoundOptions, 'rounds'>,
): Promise<Measured> {
  const before = await processorSeconds(server.pid);
  const sent = body === undefined ? {} : { body };
  const { faults, ...result } = await load({ ...options, url: server.url + path, ...sent });
  if (faults > 0) throw new Error(`${operation}: ${faults} requests failed`);
  const used = (await processorSeconds(server.pid)) - before;
  return {
    ...result,
    microseconds: (used * 1e6) / (result.requestsPerSecond * options.seconds),
    mebibytes: await residentMebibytes(server.pid),
  };
}

/** The median of each figure. */
export function middle(rounds: readonly Measured[]): Measured {
  const of = (pick: (round: Measured) => number): number => median(rounds.map(pick));
  return {
    requestsPerSecond: of((round) => round.requestsPerSecond),
    p50: of((round) => round.p50),
    p99: of((round) => round.p99),
    microseconds: of((round) => round.microseconds),
    mebibytes: of((round) => round.mebibytes),
  };
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
