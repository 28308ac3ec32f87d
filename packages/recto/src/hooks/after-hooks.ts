import { sql } from 'kysely';
import Type from 'typebox';
import { type AuthenticatedCaller, anonymous, type Caller } from '../base/caller.ts';
import type { Logger } from '../base/logger.ts';
import type { EventLog } from '../events/event-log.ts';
import type { EventReader } from '../events/event-reader.ts';
import type { FullEvent, LoggedEvent } from '../events/logged-event.ts';
import { backoff } from '../jobs/backoff.ts';
import { type JobEnd, type JobKind, JobRejected, type JobType, type JobWork, jobKind } from '../jobs/job-kind.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Records } from '../records/records.ts';
import { mostRounds, requestOf, runsFor, systemFor } from './after-events.ts';
import { HookError } from './hook-error.ts';
import type { HookRunner } from './hook-runner.ts';
import type { LoadedHooks } from './loaded-code.ts';

export interface AfterParts {
  readonly hooks: readonly LoadedHooks[];
  readonly records: Records;
  readonly events: EventLog;
  readonly jobs: Jobs;
  readonly runner: HookRunner;
  readonly log: Logger;
  /** The account or token with the rights that it has now; undefined where there is none. */
  readonly callerOf: (principal: {
    readonly kind: AuthenticatedCaller['kind'];
    readonly id: string;
  }) => Promise<AuthenticatedCaller | undefined>;
}

/** Runs one hook for what it has not dealt with. One job for each hook: one process runs it, in the order of the log. */
export const afterJob = {
  name: 'hooks.after',
  payload: Type.Object({ hook: Type.String() }),
  concurrency: 4,
} as const satisfies JobType;

/** Runs one hook for one event that failed again and again, so that it holds up no others. */
const againJob = {
  name: 'hooks.again',
  payload: Type.Object({ hook: Type.String(), seq: Type.Number() }),
  attempts: 10,
} as const satisfies JobType;

/** The key of the job of a hook. */
export const afterKey = (hook: string): string => `hook:${hook}`;

/** The name under which a hook's position in the log is stored. */
export const readerName = (hook: string): string => `hook:${hook}`;

/** How often the oldest event is tried before it is set aside. */
const triesInOrder = 5;
const asideMs = 300_000;

/** Events that are read at a time. */
const slice = 100;

/** What the job of a hook keeps of an event that failed. */
interface Failures {
  readonly seq: number;
  readonly count: number;
  /** Milliseconds since 1970: the job may be asked for earlier, by what has changed since. */
  readonly notBefore: number;
}

interface Due {
  /** Where the hook is. */
  readonly position: number;
  readonly events: readonly FullEvent[];
}

/** The `after` hooks: each reads the log under its own name. */
export class AfterHooks {
  readonly kinds: readonly JobKind[];
  readonly #parts: AfterParts;

  constructor(parts: AfterParts) {
    this.#parts = parts;
    this.kinds = [jobKind(afterJob, (work) => this.#follow(work)), jobKind(againJob, (work) => this.#again(work))];
  }

  /** Where a hook is in the log. A new one begins at the end. */
  reader(hook: string): EventReader {
    return this.#parts.events.reader(readerName(hook));
  }

  /** Whether there is something in the log for a hook. If not, its position moves to the end. */
  async isDue({ name, type }: LoadedHooks): Promise<boolean> {
    const { events } = this.#parts;
    const reader = this.reader(name);
    const position = await reader.begin();
    const end = await events.last();
    if (end <= position) return false;
    if ((await this.#read(type, position, 1)).length > 0) return true;
    await reader.move(position, end);
    return false;
  }

  #read(type: string, after: number, limit: number): Promise<readonly FullEvent[]> {
    return this.#parts.events.read({ after, limit, where: [sql`"type" = ${type}`] });
  }

  async #follow(work: JobWork<{ readonly hook: string }>): Promise<JobEnd | undefined> {
    const hook = this.#parts.hooks.find(({ name }) => name === work.payload.hook);
    // Another version of the deployment has it.
    if (hook === undefined) return undefined;
    while (!work.signal.aborted) {
      const due = await this.#due(hook);
      if (due.events.length === 0) return undefined;
      const end = await this.#handleAll(work, hook, due);
      if (end !== undefined) return end;
    }
    return undefined;
  }

  /** The next events for a hook. Where there are none, its position moves to the end. */
  async #due({ name, type }: LoadedHooks): Promise<Due> {
    const reader = this.reader(name);
    const position = await reader.begin();
    const end = await this.#parts.events.last();
    const events = await this.#read(type, position, slice);
    if (events.length === 0 && end > position) await reader.move(position, end);
    return { position, events };
  }

  /** Says when the job runs again, where one of the events has to wait. */
  async #handleAll(work: JobWork, hook: LoadedHooks, { position: from, events }: Due): Promise<JobEnd | undefined> {
    let position = from;
    for (const event of events) {
      if (work.signal.aborted) return undefined;
      const outcome = await this.#handle(work, hook, { event, position });
      if (outcome === 'read again') return undefined;
      if (outcome !== 'done') return outcome;
      position = event.seq;
    }
    return undefined;
  }

  async #handle(
    work: JobWork,
    hook: LoadedHooks,
    { event, position }: { readonly event: FullEvent; readonly position: number },
  ): Promise<JobEnd | 'done' | 'read again'> {
    // Only `#failed` keeps something.
    const kept = work.checkpoint as Failures | null;
    const failures = kept?.seq === event.seq ? kept : null;
    if (failures !== null && work.now() < failures.notBefore) return { againAt: failures.notBefore };
    const count = (failures?.count ?? 0) + 1;
    const error = await this.#attempt(hook, event, count, work.signal);
    if (error === undefined) return (await this.reader(hook.name).move(position, event.seq)) ? 'done' : 'read again';
    if (work.signal.aborted) return 'read again';
    return (await this.#failed(work, hook, { event, position, count, error })) ?? 'done';
  }

  /** Runs the hook; returns what it failed of. */
  async #attempt(hook: LoadedHooks, event: FullEvent, attempt: number, signal: AbortSignal): Promise<unknown> {
    const { log, runner, records } = this.#parts;
    switch (runsFor(hook.name, event)) {
      case 'own':
        return undefined;
      case 'too_deep':
        log.warn({ file: hook.file, seq: event.seq }, `after hooks led to one another ${mostRounds} times: not run`);
        return undefined;
      case 'runs':
    }
    const request = requestOf(hook.name, event);
    const { before: _, ...shown } = event;
    try {
      const task = {
        phase: 'after',
        path: hook.path,
        event: { ...shown, key: `${hook.name}:${event.seq}`, attempt },
      } as const;
      const rights = { caller: await this.#actor(event, request), system: systemFor(request, event.tenant) };
      await runner.run(hook, { task, signal, records, rights, timeout: hook.handlers.timeout });
      return undefined;
    } catch (error) {
      return error ?? new HookError(hook.file, 'after failed');
    }
  }

  /** Who made the change, with the rights of now; without any where the account is gone. */
  async #actor({ actor, tenant }: LoggedEvent, request: string): Promise<Caller> {
    if (actor?.kind === 'system') return systemFor(request, tenant);
    const found = actor === null ? undefined : await this.#parts.callerOf(actor);
    const caller = found ?? anonymous;
    const visits = tenant !== null && caller.tenant === undefined;
    return { ...caller, request, ...(visits ? { visited: tenant } : {}) };
  }

  /** Says when the event is tried again; undefined once it is set aside, and the next is its turn. */
  async #failed(
    work: JobWork,
    { name, file }: LoadedHooks,
    failure: {
      readonly event: LoggedEvent;
      readonly position: number;
      readonly count: number;
      readonly error: unknown;
    },
  ): Promise<JobEnd | undefined> {
    const { log, jobs } = this.#parts;
    const { event, position, count, error } = failure;
    const { seq } = event;
    const fields = { file, seq, attempt: count, err: error };
    if (count < triesInOrder) {
      log.warn(fields, 'an after hook failed; it runs again');
      const notBefore = work.now() + backoff(count);
      const checkpoint = { seq, count, notBefore };
      await jobs.runInTransaction((transaction) => work.keep(transaction, { checkpoint }));
      return { againAt: notBefore };
    }
    log.error(fields, 'an after hook fails again and again; its event is set aside');
    await jobs.runInTransaction(async (transaction) => {
      if (!(await this.reader(name).moveIn(transaction, position, seq))) return;
      const options = { key: `${afterKey(name)}:${seq}`, runAt: work.now() + asideMs };
      await jobs.enqueueIn(transaction, againJob, { hook: name, seq }, options);
    });
    return undefined;
  }

  async #again({ payload, attempt, signal }: JobWork<{ readonly hook: string; readonly seq: number }>) {
    const hook = this.#parts.hooks.find(({ name }) => name === payload.hook);
    if (hook === undefined) throw new JobRejected(`There is no hook ${payload.hook} any more.`);
    const [event] = await this.#read(hook.type, payload.seq - 1, 1);
    if (event?.seq !== payload.seq) throw new JobRejected('The log does not have the event any more.');
    const error = await this.#attempt(hook, event, triesInOrder + attempt, signal);
    if (error !== undefined) throw error;
    return undefined;
  }
}
