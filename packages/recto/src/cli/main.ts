#!/usr/bin/env bun
import { provideOwnName } from '../base/own-name.ts';
import { workerArgument } from '../base/program.ts';
import { beginStart } from '../base/start-policy.ts';

// Without `await` at the top of the module: the package has this program with its bytecode, which modules that wait cannot have.
if (['start', workerArgument].includes(process.argv[2] ?? '')) beginStart();
provideOwnName(() => import('../index.ts'));
void (process.argv[2] === workerArgument ? runAsWorker() : runCommand());

async function runAsWorker(): Promise<void> {
  const { runWorker } = await import('../service/workers/run-worker.ts');
  await runWorker();
}

async function runCommand(): Promise<void> {
  const { processTerminal } = await import('../base/terminal.ts');
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'start' && rest.length === 0) {
    const { runPlainStart } = await import('./plain-start.ts');
    process.exitCode = await runPlainStart(processTerminal);
    return;
  }
  const { runCommandLine } = await import('./command-line.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal);
}
