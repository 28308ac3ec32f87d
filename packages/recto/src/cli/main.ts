#!/usr/bin/env bun
import { provideOwnName } from '../base/own-name.ts';
import { workerArgument } from '../base/program.ts';

if (process.argv[2] === workerArgument) await import('../service/workers/worker-main.ts');
else await runCommand();

async function runCommand(): Promise<void> {
  provideOwnName(() => import('../index.ts'));
  const [{ runCommandLine }, { processTerminal }] = await Promise.all([
    import('./command-line.ts'),
    import('../base/terminal.ts'),
  ]);
  process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal);
}
