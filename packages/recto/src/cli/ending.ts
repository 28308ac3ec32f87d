/** Why a running service ends. */
export type Ending =
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'crash'; readonly error: unknown };

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * npm and the launcher forward a signal that a terminal has already sent to all its processes: both count as one. So much later, in
 * milliseconds, it is another.
 */
const sameSignalMs = 300;

/**
 * Resolves at the first signal, uncaught exception or unhandled rejection. A later signal, from a person who
 * does not want to wait, calls `atOnce`.
 */
export function firstEnding(atOnce: () => void, anotherAfterMs = sameSignalMs): Promise<Ending> {
  const ending = Promise.withResolvers<Ending>();
  let signalledAt: number | undefined;
  for (const signal of signals) {
    process.on(signal, () => {
      signalledAt ??= performance.now();
      if (performance.now() - signalledAt > anotherAfterMs) atOnce();
      ending.resolve({ kind: 'signal', signal });
    });
  }
  const crash = (error: unknown): void => ending.resolve({ kind: 'crash', error });
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  return ending.promise;
}
