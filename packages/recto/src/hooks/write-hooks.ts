import type { Caller } from '../base/caller.ts';
import { system } from '../base/caller.ts';
import { type FieldFault, Problem } from '../base/problem.ts';
import type { Transaction } from '../database/database.ts';
import { perType } from '../definition/per-type.ts';
import type { Records } from '../records/records.ts';
import type { HookedRecord, HooksOfType, TypeHooks } from '../records/write/write-hooks.ts';
import type { UntypedRecord } from './content.ts';
import { hookCaller } from './hook-caller.ts';
import type { HookCounts } from './hook-counts.ts';
import { hookDatabase } from './hook-database.ts';
import { HookError } from './hook-error.ts';
import type { HookHandlers } from './hooks.ts';
import { type LoadedHooks, timeoutMs } from './loaded-code.ts';
import { OwnWaits } from './own-waits.ts';
import type { RecordCall } from './record-call.ts';
import { callRecords } from './record-calls.ts';

export interface WriteHookParts {
  readonly hooks: readonly LoadedHooks[];
  /** Called when a hook runs: the records that it is part of. */
  readonly records: () => Records;
  readonly counts: HookCounts;
}

/** How deep hooks may lead to hooks, by what they write in their transaction. */
const mostDepth = 5;

/** The `check` and `write` hooks of a deployment, as `records` runs them. Undefined where there are none. */
export function writeHooks(parts: WriteHookParts, depth = 0): HooksOfType | undefined {
  const taking = parts.hooks.filter(({ handlers: { check, write } }) => check !== undefined || write !== undefined);
  if (taking.length === 0) return undefined;
  return perType((type): TypeHooks | undefined => {
    const own = taking.filter((hooks) => hooks.type === type.singular);
    return own.length === 0 ? undefined : typeHooks(own, parts, depth);
  });
}

function typeHooks(hooks: readonly LoadedHooks[], parts: WriteHookParts, depth: number): TypeHooks {
  const checking = hooks.filter(({ handlers: { check } }) => check !== undefined);
  const writing = hooks.filter(({ handlers: { write } }) => write !== undefined);
  return {
    ...(checking.length === 0 ? {} : { check: (written) => check(checking, written, parts) }),
    ...(writing.length === 0
      ? {}
      : { write: (written, transaction) => write(writing, written, { ...parts, transaction, depth }) }),
  };
}

/** What both kinds of hooks are given. */
function contextOf({ record, before, caller }: HookedRecord, faults: FieldFault[]) {
  return {
    // True because hooks are called with records of their type alone.
    record: record as UntypedRecord,
    before: structuredClone(before) as UntypedRecord | null,
    caller: hookCaller(caller),
    error: (field: string, code: string, message: string): void => {
      faults.push({ field: String(field), code: String(code), message: String(message) });
    },
  };
}

function check(hooks: readonly LoadedHooks[], written: HookedRecord, { counts }: WriteHookParts): FieldFault[] {
  const faults: FieldFault[] = [];
  const context = contextOf(written, faults);
  for (const { file, handlers } of hooks) {
    const returned = counts.counted('check', () => attempt(file, 'check', () => handlers.check?.(context)));
    if (isThenable(returned)) {
      returned.then(undefined, () => undefined);
      throw new HookError(file, 'check must not be async: it runs while a write is judged. Use write or after.');
    }
  }
  return faults;
}

interface WriteParts extends WriteHookParts {
  readonly transaction: Transaction;
  readonly depth: number;
}

async function write(
  hooks: readonly LoadedHooks[],
  written: HookedRecord,
  parts: WriteParts,
): Promise<readonly FieldFault[]> {
  const { file } = hooks[0] ?? { file: '' };
  if (parts.depth >= mostDepth)
    throw new HookError(file, `write hooks lead to one another more than ${mostDepth} times: ${written.type.singular}`);
  const faults: FieldFault[] = [];
  for (const { file, handlers } of hooks) await writeOne(file, handlers, written, faults, parts);
  return faults;
}

async function writeOne(
  file: string,
  handlers: HookHandlers<string>,
  written: HookedRecord,
  faults: FieldFault[],
  parts: WriteParts,
): Promise<void> {
  const waits = new OwnWaits();
  const calls = new TransactionCalls(file, written.caller, { ...parts, timeoutMs: timeoutMs(handlers) }, waits);
  const context = { ...contextOf(written, faults), tx: hookDatabase((call) => calls.send(call)) };
  const waiting = (): Error => new HookError(file, 'write waits for something other than tx, inside a transaction');
  const isDone = parts.counts.begin('write');
  try {
    await waits.run(() => handlers.write?.(context), waiting);
  } catch (error) {
    isDone(calls.isLate ? 'timeout' : 'error');
    throw calls.failure ?? (error instanceof HookError ? error : new HookError(file, 'write failed', error));
  }
  isDone(calls.failure === undefined ? 'ok' : 'error');
  // A write that failed may be half done: what the hook made of the error does not matter.
  if (calls.failure !== undefined) throw calls.failure;
}

/** The calls of one hook in its transaction. */
class TransactionCalls {
  readonly #file: string;
  readonly #caller: Caller;
  readonly #waits: OwnWaits;
  readonly #records: Records;
  readonly #began = performance.now();
  readonly #timeoutMs: number;
  /** What makes the transaction impossible. */
  failure: Error | undefined;
  /** Whether it was ended because of its time. */
  isLate = false;

  constructor(file: string, caller: Caller, parts: WriteParts & { readonly timeoutMs: number }, waits: OwnWaits) {
    this.#timeoutMs = parts.timeoutMs;
    this.#file = file;
    this.#caller = caller;
    this.#waits = waits;
    this.#records = parts.records().within(parts.transaction, writeHooks(parts, parts.depth + 1));
  }

  send(call: RecordCall): Promise<string | null> {
    if (!this.#waits.isOpen) return Promise.reject(new HookError(this.#file, 'tx is used after the hook has ended'));
    // Others wait for the transaction: a loop over calls must not go on for ever.
    if (performance.now() - this.#began > this.#timeoutMs) {
      this.isLate = true;
      this.failure ??= new HookError(this.#file, `write took more than ${this.#timeoutMs / 1_000} s`);
      return this.#waits.refuse();
    }
    return this.#waits.track(this.#call(call));
  }

  async #call(call: RecordCall): Promise<string | null> {
    const { tenant, visited, request } = this.#caller;
    const place = tenant ?? visited;
    const rights = {
      caller: this.#caller,
      system: {
        ...system,
        ...(place === undefined ? {} : { visited: place }),
        ...(request === undefined ? {} : { request }),
      },
    };
    try {
      return await callRecords(this.#records, rights, call);
    } catch (error) {
      const isRead = call.action === 'list' || call.action === 'get';
      const isAnswer = error instanceof Problem && error.status < 500;
      if (!isAnswer || !isRead) this.failure ??= this.#failureOf(error, call);
      throw error;
    }
  }

  /** What the database reports is passed on as it is: the transaction may run again because of it. */
  #failureOf(error: unknown, { action, type }: RecordCall): Error {
    if (error instanceof Problem && error.status < 500)
      return new HookError(this.#file, `${action} of ${type} was rejected`, error);
    return error instanceof Error ? error : new HookError(this.#file, `${action} of ${type} failed`, error);
  }
}

function attempt<T>(file: string, phase: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new HookError(file, `${phase} failed`, error);
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
