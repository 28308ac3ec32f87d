import { pathToFileURL } from 'node:url';
import { provideOwnName } from '../base/own-name.ts';
import type { CronJob } from './cron.ts';
import { hookDatabase } from './hook-database.ts';
import type { HookMails } from './hook-mail.ts';
import type { Hooks } from './hooks.ts';
import { errorOf, plainError } from './plain-error.ts';
import type { CustomRoute } from './route.ts';
import type { FromThread, ThreadTask, ToThread } from './thread-messages.ts';

// The program of a thread: runs handlers of the deployment, one at a time.

declare const self: Worker;

provideOwnName(() => import('./thread-exports.ts'));

const calls = new Map<number, PromiseWithResolvers<string | null>>();
let made = 0;
let current: { readonly run: number; readonly ending: AbortController } | undefined;

const send = (message: FromThread): void => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToThread>): void => {
  switch (data.kind) {
    case 'run':
      void run(data.run, data.task);
      return;
    case 'abort':
      if (current?.run === data.run) current.ending.abort();
      return;
    case 'answer':
      take(data.call)?.resolve(data.text);
      return;
    case 'rejected':
      take(data.call)?.reject(errorOf(data.error));
      return;
  }
};

function take(call: number): PromiseWithResolvers<string | null> | undefined {
  const waiting = calls.get(call);
  calls.delete(call);
  return waiting;
}

async function run(number: number, task: ThreadTask): Promise<void> {
  const ending = new AbortController();
  current = { run: number, ending };
  try {
    send({ kind: 'done', run: number, text: await handle(number, task, ending.signal) });
  } catch (error) {
    send({ kind: 'failed', run: number, error: plainError(error) });
  } finally {
    if (current?.run === number) current = undefined;
  }
}

async function handle(number: number, task: ThreadTask, signal: AbortSignal): Promise<string | null> {
  // True because the files were checked when they were loaded.
  const module = (await import(pathToFileURL(task.path).href)) as { readonly default: Hooks | CustomRoute | CronJob };
  const code = module.default;
  send({ kind: 'began', run: number });
  const db = hookDatabase((request) => {
    if (current?.run !== number) return Promise.reject(new Error('db is used after the handler has ended.'));
    const answered = Promise.withResolvers<string | null>();
    made += 1;
    calls.set(made, answered);
    send({ kind: 'call', run: number, call: made, request });
    return answered.promise;
  });
  const mail: HookMails = {
    send: (given) => {
      if (current?.run !== number) return Promise.reject(new Error('mail is used after the handler has ended.'));
      const answered = Promise.withResolvers<string | null>();
      made += 1;
      calls.set(made, answered);
      send({ kind: 'mail', run: number, call: made, mail: JSON.stringify(given) ?? 'null' });
      const sent = answered.promise.then(() => undefined);
      // A call that nobody awaits must not end the process when it fails.
      sent.catch(() => undefined);
      return sent;
    },
  };
  if (task.phase === 'after' && code.kind === 'hooks') {
    await code.handlers.after?.({ event: task.event, db, mail, signal });
    return null;
  }
  if (task.phase === 'route' && code.kind === 'route') {
    // True because the values were checked by the route's schemas.
    const given = task.input as { readonly query: never; readonly body: never } & typeof task.input;
    return jsonText(await code.options.handler({ ...given, db, mail, signal }));
  }
  if (task.phase === 'job' && code.kind === 'cron') {
    await code.handler({ db, mail, signal });
    return null;
  }
  throw new Error(`${task.path} has changed since the service started.`);
}

function jsonText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new Error('The handler returned what JSON cannot express.');
  return text;
}
