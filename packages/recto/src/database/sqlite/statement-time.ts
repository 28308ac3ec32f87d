/** How long a statement took. */
export interface StatementTime {
  /** From its beginning to its end. */
  readonly seconds: number;
  /** Milliseconds in which this thread worked; what other threads and programs did meanwhile does not count. */
  readonly worked: number;
}

/** The clock of the processor costs more than the other one, and adds nothing for what took less than this. */
const preciseMs = 1;

/** Begins to measure what this thread does; the returned function gives the time. */
export function startTiming(): () => StatementTime {
  const used = process.threadCpuUsage();
  const started = performance.now();
  return () => {
    const milliseconds = performance.now() - started;
    if (milliseconds < preciseMs) return { seconds: milliseconds / 1000, worked: milliseconds };
    const { user, system } = process.threadCpuUsage(used);
    return { seconds: milliseconds / 1000, worked: Math.min(milliseconds, (user + system) / 1000) };
  };
}
