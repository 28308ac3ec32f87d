/** Logs progress to standard error, with the time since the run began. Standard output is only for tables. */
export function logProgress(text: string): void {
  const seconds = Math.round(performance.now() / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  process.stderr.write(`${clock.padStart(6)}  ${text}\n`);
}
