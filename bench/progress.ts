/** Tells what is being done, on standard error and with the time since the run began: the tables alone go to standard output. */
export function tell(text: string): void {
  const seconds = Math.round(performance.now() / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  process.stderr.write(`${clock.padStart(6)}  ${text}\n`);
}
