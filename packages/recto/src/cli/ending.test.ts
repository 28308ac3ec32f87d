import { expect, test } from 'bun:test';
import { join } from 'node:path';

/** Runs a program that waits for its ending and prints it. */
async function endingOf({
  cause,
  waitsMs = 600,
  anotherAfterMs = 300,
}: Case): Promise<{ exitCode: number; out: string }> {
  const program = `
    import { firstEnding } from ${JSON.stringify(join(import.meta.dir, 'ending.ts'))};
    const ending = firstEnding(() => { process.stdout.write('at once'); process.exit(1); }, ${anotherAfterMs});
    const alive = setInterval(() => {}, 1000);
    const signal = (name) => process.kill(process.pid, name);
    setTimeout(async () => { ${cause} }, 1);
    const { kind, signal: name, error } = await ending;
    process.stdout.write([kind, name ?? error?.message ?? error].join(' ') + '; ');
    await Bun.sleep(${waitsMs});
    process.exit(0);
  `;
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' });
  return { out: await new Response(child.stdout).text(), exitCode: await child.exited };
}

interface Case {
  readonly name: string;
  readonly cause: string;
  readonly out: string;
  readonly exitCode: number;
  /** How long the program waits for an optional second event. There is no limit for required events. */
  readonly waitsMs?: number;
  /** From when on a signal is another one. */
  readonly anotherAfterMs?: number;
}

const cases: readonly Case[] = [
  { name: 'SIGTERM', cause: "signal('SIGTERM')", out: 'signal SIGTERM; ', exitCode: 0 },
  { name: 'SIGINT', cause: "signal('SIGINT')", out: 'signal SIGINT; ', exitCode: 0 },
  {
    name: 'an uncaught exception',
    cause: "setTimeout(() => { throw new Error('oh') })",
    out: 'crash oh; ',
    exitCode: 0,
  },
  { name: 'an unhandled rejection', cause: "Promise.reject(new Error('oh'))", out: 'crash oh; ', exitCode: 0 },
  {
    name: 'one signal sent twice by a terminal and npm',
    cause: "signal('SIGINT'); signal('SIGINT')",
    out: 'signal SIGINT; ',
    exitCode: 0,
    // A busy machine may take its time between the two.
    anotherAfterMs: 600_000,
  },
  {
    name: 'a second signal',
    cause: "signal('SIGTERM'); await ending; await Bun.sleep(400); signal('SIGINT')",
    out: 'signal SIGTERM; at once',
    exitCode: 1,
    waitsMs: 120_000,
  },
];

test.concurrent.each(cases)('$name', async (each) => {
  const { out, exitCode } = each;
  expect(await endingOf(each)).toEqual({ out, exitCode });
});
