import { spawnChild } from './cleanup.ts';

/** The latencies of requests that were sent at a steady pace, in milliseconds. */
export interface SteadyResult {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Answers that were not 200, and connections that failed. */
  readonly faults: number;
}

interface Requests {
  /** Groups of addresses: requests go to every group in turn, and within it to every address. */
  readonly groups: readonly (readonly string[])[];
  readonly perSecond: number;
}

/** For so many seconds, or until something has ended. */
export type SteadyLoad = Requests & ({ readonly seconds: number } | { readonly until: Promise<unknown> });

/**
 * The latencies for each group. Sends requests at a steady pace, however long the answers take, and counts each from the moment that it was due: a server
 * that stands still for a second delays a second's worth of requests, of which a client that waits for one answer before it
 * sends the next request would see one (G. Tene, "How NOT to measure latency"). In a process of its own, which has nothing else to do.
 */
export async function loadSteadily(load: SteadyLoad): Promise<readonly SteadyResult[]> {
  const child = spawnChild([process.execPath, import.meta.path, JSON.stringify(load)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  if ('until' in load) {
    await load.until;
    child.stdin.end();
  }
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error('The steady load failed.');
  // Printed below.
  return JSON.parse(text) as readonly SteadyResult[];
}

async function run(
  { groups, perSecond }: Requests,
  goesOn: (begun: number) => boolean,
): Promise<readonly SteadyResult[]> {
  const latencies: number[][] = groups.map(() => []);
  const faults = groups.map(() => 0);
  const pending: Promise<void>[] = [];
  const begun = performance.now();
  for (let number = 0; goesOn(begun); number += 1) {
    const due = begun + (number * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await Bun.sleep(early);
    // A timer may be a little early.
    const from = Math.min(due, performance.now());
    const place = number % groups.length;
    const urls = groups[place] ?? [];
    pending.push(
      ask(urls[Math.floor(number / groups.length) % urls.length] ?? '').then((ok) => {
        if (!ok) faults[place] = (faults[place] ?? 0) + 1;
        latencies[place]?.push(performance.now() - from);
      }),
    );
  }
  await Promise.all(pending);
  return latencies.map((all, place) => ({ ...quantiles(all), faults: faults[place] ?? 0 }));
}

async function ask(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

function quantiles(latencies: readonly number[]): Omit<SteadyResult, 'faults'> {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { requests: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

if (import.meta.main) {
  // What `loadSteadily` gives.
  const load = JSON.parse(Bun.argv[2] ?? '') as Requests & { readonly seconds?: number };
  let ended = false;
  // The parent process ends this one by closing its input.
  if (load.seconds === undefined)
    void Bun.stdin.text().then(() => {
      ended = true;
    });
  const length = (load.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  process.stdout.write(JSON.stringify(await run(load, (begun) => !ended && performance.now() - begun < length)));
}
