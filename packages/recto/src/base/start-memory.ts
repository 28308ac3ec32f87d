/** How often the process is looked at, and how much processor time it may have taken since to count as idle. */
const lookEveryMs = 200;
const idleMicroseconds = 10_000;

/** After a minute of work, what it has compiled is worth more than the memory. */
const mostLooks = 300;

/** Has memory given back that only the start needed, once, when the process first has nothing to do. */
export function releaseStartMemory(): void {
  const steps = [releaseHeap, releaseProgram];
  let looks = 0;
  let before = processorMicroseconds();
  const timer = setInterval(() => {
    const now = processorMicroseconds();
    const isIdle = now - before < idleMicroseconds;
    before = now;
    looks += 1;
    if (isIdle) steps.shift()?.();
    if (steps.length === 0 || looks >= mostLooks) clearInterval(timer);
  }, lookEveryMs);
  timer.unref();
}

/** Of all threads of this process. */
function processorMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Of the code that ran at the start, most never runs again: what was made of it goes with the garbage, and is made again where it does. */
const releaseHeap = (): void => Bun.shrink();

/** After the collection, which touches other parts of the program. Loaded here, so that no start waits for it. */
function releaseProgram(): void {
  void import('./program-pages.ts').then(
    ({ releaseProgramPages }) => releaseProgramPages(),
    // Nothing depends on it: where it cannot be read, the pages stay.
    () => undefined,
  );
}
