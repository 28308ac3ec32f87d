import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { spawnChild } from './cleanup.ts';

/** The results of loading one server. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that were not 2xx, and connections that failed. */
  readonly faults: number;
}

/** The request that is sent repeatedly. */
export interface LoadRequest {
  readonly url: string;
  /** JSON; makes it a POST. */
  readonly body?: string;
}

export interface LoadOptions extends LoadRequest {
  readonly connections: number;
  readonly seconds: number;
}

const wrk = Bun.which('wrk');

/** `wrk` loads a server harder than anything in JavaScript can; without it `autocannon` is used, which may then be the bottleneck. */
export const generator = wrk === null ? 'autocannon' : 'wrk';

export const load = (options: LoadOptions): Promise<LoadResult> =>
  wrk === null ? loadWithAutocannon(options) : loadWithWrk(wrk, options);

async function loadWithWrk(program: string, { url, body, connections, seconds }: LoadOptions): Promise<LoadResult> {
  const script = body === undefined ? undefined : await writeScript(body);
  const child = spawnChild(
    [
      program,
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--latency',
      ...(script === undefined ? [] : ['-s', script]),
      url,
    ],
    { stdout: 'pipe' },
  );
  const text = await new Response(child.stdout).text();
  if (script !== undefined) await rm(script);
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50: milliseconds(/ 50%\s+([\d.]+\w+)/.exec(text)?.[1]),
    p99: milliseconds(/ 99%\s+([\d.]+\w+)/.exec(text)?.[1]),
    faults: number(/Non-2xx or 3xx responses: (\d+)/) + number(/Socket errors: connect (\d+)/),
  };
}

/** The requests that `wrk` sends, as a Lua script (https://github.com/wg/wrk/blob/master/SCRIPTING). */
async function writeScript(body: string): Promise<string> {
  const path = join(tmpdir(), `recto-bench-${crypto.randomUUID()}.lua`);
  const lines = [
    'wrk.method = "POST"',
    `wrk.body = ${JSON.stringify(body)}`,
    'wrk.headers["Content-Type"] = "application/json"',
  ];
  await Bun.write(path, lines.join('\n'));
  return path;
}

function milliseconds(text = '0ms'): number {
  const value = Number.parseFloat(text);
  if (text.endsWith('us')) return value / 1000;
  return text.endsWith('ms') ? value : value * 1000;
}

async function loadWithAutocannon({ url, body, connections, seconds }: LoadOptions): Promise<LoadResult> {
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } } as const;
  const sent = body === undefined ? {} : { ...post, body };
  const result = await autocannon({ url, connections, duration: seconds, ...sent });
  return {
    requestsPerSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    faults: result.non2xx + result.errors,
  };
}
