import { type ChildServer, processorSeconds } from './child-server.ts';
import { type LoadResult, load } from './load.ts';

export interface Contender {
  readonly server: ChildServer;
  readonly path: string;
}

/** One operation held against its limit, round by round in turn, so that a machine whose speed drifts moves both. */
export interface Comparison {
  readonly operation: string;
  readonly ours: readonly LoadResult[];
  readonly limit: readonly LoadResult[];
  /** Requests a second, ours over the limit's, round by round. */
  readonly ratios: readonly number[];
  /** Processor microseconds a request took in the server process. */
  readonly ourMicroseconds: number;
  readonly limitMicroseconds: number;
}

export interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

export async function compare(
  operation: string,
  ours: Contender,
  limit: Contender,
  options: RoundOptions,
): Promise<Comparison> {
  const measure = async ({ server, path }: Contender) => {
    const before = await processorSeconds(server.pid);
    const result = await load({ ...options, url: server.url + path });
    if (result.faults > 0) throw new Error(`${operation}: ${result.faults} requests failed`);
    const used = (await processorSeconds(server.pid)) - before;
    return { result, microseconds: (used * 1e6) / (result.requestsPerSecond * options.seconds) };
  };
  // One round to warm up, which does not count.
  await measure(ours);
  await measure(limit);
  const rounds = [];
  for (let round = 0; round < options.rounds; round += 1) {
    rounds.push({ ours: await measure(ours), limit: await measure(limit) });
  }
  return {
    operation,
    ours: rounds.map((round) => round.ours.result),
    limit: rounds.map((round) => round.limit.result),
    ratios: rounds.map((round) => round.ours.result.requestsPerSecond / round.limit.result.requestsPerSecond),
    ourMicroseconds: median(rounds.map((round) => round.ours.microseconds)),
    limitMicroseconds: median(rounds.map((round) => round.limit.microseconds)),
  };
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
