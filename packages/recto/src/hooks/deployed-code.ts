import type { Database } from '../database/database.ts';
import { EventLog } from '../events/event-log.ts';
import { readerName } from './after-hooks.ts';
import { HookCounts } from './hook-counts.ts';
import { HookRunner } from './hook-runner.ts';
import type { LoadedCode } from './loaded-code.ts';

/** The code of a deployment in a process: what is loaded, the threads that run it, and how often it ran. */
export class DeployedCode {
  readonly counts = new HookCounts();
  readonly runner = new HookRunner(this.counts);
  /** As of the last load. */
  current: LoadedCode;

  constructor(code: LoadedCode) {
    this.current = code;
  }

  close(): Promise<void> {
    return this.runner.close();
  }
}

/** From here on, the `after` hooks hear of every change: a new one begins at the end of the log. */
export async function beginHooks(database: Database, { hooks }: LoadedCode): Promise<void> {
  const events = new EventLog(database);
  for (const { name, handlers } of hooks)
    if (handlers.after !== undefined) await events.reader(readerName(name)).begin();
}
