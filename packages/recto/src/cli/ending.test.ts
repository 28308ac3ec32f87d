import { expect, test } from 'bun:test';
import { join } from 'node:path';

/** Runs a program that waits for its ending, and tells it. */
async function endingOf(cause: string): Promise<{ exitCode: number; out: string }> {
  const program = `
    import { firstEnding } from ${JSON.stringify(join(import.meta.dir, 'ending.ts'))};
    const ending = firstEnding(() => { process.stdout.write('at once'); process.exit(1); });
    const alive = setInterval(() => {}, 1000);
    const signal = (name) => process.kill(process.pid, name);
    setTimeout(async () => { ${cause} }, 1);
    const { kind, signal: name, error } = await ending;
    process.stdout.write([kind, name ?? error?.message ?? error].join(' ') + '; ');
    await Bun.sleep(600);
    process.exit(0);
  `;
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' });
  return { out: await new Response(child.stdout).text(), exitCode: await child.exited };
}

test.concurrent.each([
  ['SIGTERM', "signal('SIGTERM')", 'signal SIGTERM; ', 0],
  ['SIGINT', "signal('SIGINT')", 'signal SIGINT; ', 0],
  ['an uncaught exception', "setTimeout(() => { throw new Error('oh') })", 'crash oh; ', 0],
  ['an unhandled rejection', "Promise.reject(new Error('oh'))", 'crash oh; ', 0],
  ['one signal sent twice by a terminal and npm', "signal('SIGINT'); signal('SIGINT')", 'signal SIGINT; ', 0],
  ['a second signal', "signal('SIGTERM'); await Bun.sleep(400); signal('SIGINT')", 'signal SIGTERM; at once', 1],
])('%s', async (_name, cause, out, exitCode) => {
  expect(await endingOf(cause)).toEqual({ out, exitCode });
});
