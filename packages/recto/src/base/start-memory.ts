/** How often the process is looked at, and how much processor time it may have taken since to count as idle. */
const lookEveryMs = 200;
const idleMicroseconds = 10_000;

/** After a minute of work, what it has compiled is worth more than the memory. */
const mostLooks = 300;

/** Later than that, periodic work has run for the first time, which is a start of its own. */
const settledMs = 15_000;

/** Has memory given back that only the start needed, once, when the process first has nothing to do. */
export function releaseStartMemory(): void {
  let looks = 0;
  let before = processorMicroseconds();
  const timer = setInterval(() => {
    const now = processorMicroseconds();
    const isIdle = now - before < idleMicroseconds;
    before = now;
    looks += 1;
    if (isIdle || looks >= mostLooks) clearInterval(timer);
    if (isIdle) release();
  }, lookEveryMs);
  timer.unref();
}

/** Of all threads of this process. */
function processorMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function release(): void {
  Bun.gc(true);
  // Of the code that ran at the start, most never runs again: what was made of it goes, and is made again where it does.
  Bun.shrink();
  releasePages();
  setTimeout(releasePages, settledMs).unref();
}

/** Loaded here, so that no start waits for it. */
function releasePages(): void {
  void import('./program-pages.ts').then(({ releaseProgramPages }) => releaseProgramPages());
}
