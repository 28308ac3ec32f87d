import type { ToSupervisor, ToWorker } from './messages.ts';

/** A worker that serves nothing, and behaves as its argument says. */

const behaviour = process.argv[2];
const send = (message: ToSupervisor): void => void process.send?.(message);

// Only the supervisor sends messages.
process.on('message', (message) => receive(message as ToWorker));
process.on('disconnect', () => process.exit(0));
setInterval(() => send({ kind: 'beat' }), 10);
send({ kind: 'loaded' });

function receive(message: ToWorker): void {
  if (message.kind === 'drain') process.exit(behaviour === 'stubborn' ? 3 : 0);
  if (message.kind === 'serve') serve();
  if (message.kind === 'ready' && behaviour === 'hang') block(60_000);
}

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function serve(): void {
  if (behaviour === 'fall') process.exit(7);
  if (behaviour === 'refuse') send({ kind: 'refused', message: 'There is no space.' });
  else send({ kind: 'listening' });
  if (behaviour === 'die') setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20);
}
