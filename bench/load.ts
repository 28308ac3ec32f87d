import autocannon from 'autocannon';

/** What a load of one server came to. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that were not 2xx, and connections that failed. */
  readonly faults: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
}

const wrk = Bun.which('wrk');

/** `wrk` loads a server harder than anything in JavaScript can; without it `autocannon` does, which then may be the slower side. */
export const generator = wrk === null ? 'autocannon' : 'wrk';

export const load = (options: LoadOptions): Promise<LoadResult> =>
  wrk === null ? loadWithAutocannon(options) : loadWithWrk(wrk, options);

async function loadWithWrk(program: string, { url, connections, seconds }: LoadOptions): Promise<LoadResult> {
  const child = Bun.spawn([program, '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', url], { stdout: 'pipe' });
  const text = await new Response(child.stdout).text();
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50: milliseconds(/ 50%\s+([\d.]+\w+)/.exec(text)?.[1]),
    p99: milliseconds(/ 99%\s+([\d.]+\w+)/.exec(text)?.[1]),
    faults: number(/Non-2xx or 3xx responses: (\d+)/) + number(/Socket errors: connect (\d+)/),
  };
}

function milliseconds(text = '0ms'): number {
  const value = Number.parseFloat(text);
  if (text.endsWith('us')) return value / 1000;
  return text.endsWith('ms') ? value : value * 1000;
}

async function loadWithAutocannon({ url, connections, seconds }: LoadOptions): Promise<LoadResult> {
  const result = await autocannon({ url, connections, duration: seconds });
  return {
    requestsPerSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    faults: result.non2xx + result.errors,
  };
}
