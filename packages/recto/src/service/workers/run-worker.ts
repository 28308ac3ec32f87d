import { FatalError } from '../../base/fatal-error.ts';
import { createLogger, type Logger } from '../../base/logger.ts';
import { endStart } from '../../base/start-policy.ts';
import { exitCodes } from '../../base/terminal.ts';
import type { Settings } from '../../config/settings.ts';
import { isImporting } from '../../definition/import-module.ts';
import { stopLimits } from '../stop-limits.ts';
import { ExpectedDefinitions } from './expected-definitions.ts';
import type { Assignment, Preparation, ToSupervisor, ToWorker } from './messages.ts';
import { SupervisorClient } from './supervisor-client.ts';
import { joinWorkers, prepareWorker, type WorkerService } from './worker-service.ts';

const beatMs = 1_000;

/** The program of a worker's process, which the supervisor starts. Ends the process. */
export async function runWorker(): Promise<never> {
  let log: Logger = createLogger('info');
  const supervisor = new SupervisorClient(send);
  const expected = new ExpectedDefinitions();
  let service: Promise<WorkerService> | undefined;
  let hasHooks = false;
  /** Nothing runs before a worker has the settings of the service. */
  let stopLimitMs = 0;
  const ending = Promise.withResolvers<typeof exitCodes.done | typeof exitCodes.refused>();

  function send(message: ToSupervisor): void {
    if (process.connected) process.send?.(message);
  }

  function take(settings: Settings): void {
    log = createLogger(settings.logLevel);
    stopLimitMs = stopLimits(settings).workerMs;
  }

  async function prepare(preparation: Preparation): Promise<ToSupervisor> {
    take(preparation.settings);
    service = prepareWorker(preparation, supervisor, log);
    return { kind: 'prepared', prepared: (await service).prepared };
  }

  async function serve(assignment: Assignment): Promise<ToSupervisor> {
    take(assignment.settings);
    service ??= joinWorkers(assignment, expected, supervisor, log);
    const opened = await service;
    ({ hasHooks } = opened);
    await opened.listen(assignment.settings.port);
    endStart();
    return { kind: 'listening' };
  }

  async function complete(): Promise<ToSupervisor> {
    if (service === undefined) throw new Error('A worker that has nothing open was to complete the start.');
    return { kind: 'completed', completed: await (await service).complete() };
  }

  async function attempt(step: Promise<ToSupervisor>): Promise<void> {
    try {
      send(await step);
    } catch (error) {
      if (!(error instanceof FatalError)) log.fatal({ err: error }, 'a worker cannot serve');
      const message = error instanceof FatalError ? error.message : 'A worker cannot serve; the log has the reason.';
      send({ kind: 'refused', message });
      ending.resolve(exitCodes.refused);
    }
  }

  function receive(message: ToWorker): void {
    switch (message.kind) {
      case 'prepare':
        void attempt(prepare(message.preparation));
        break;
      case 'expect':
        expected.expect(message.settings);
        break;
      case 'serve':
        void attempt(serve(message.assignment));
        break;
      case 'complete':
        void attempt(complete());
        break;
      case 'ready':
        void service?.then(({ ready }) => ready());
        break;
      case 'drain':
        ending.resolve(exitCodes.done);
        break;
      case 'measure':
        void service
          ?.then(async ({ measure }) => send({ kind: 'snapshot', snapshot: await measure() }))
          .catch((error) => log.error({ err: error }, 'the metrics of a worker cannot be collected'));
        break;
      case 'answer':
        supervisor.receive(message.id, message.answer);
        break;
    }
  }

  function crash(error: unknown): void {
    if (isImporting()) return;
    log.fatal({ err: error }, 'uncaught error');
    ending.resolve(exitCodes.refused);
  }

  // Only the supervisor sends messages.
  process.on('message', (message) => receive(message as ToWorker));
  // The supervisor is gone: nobody would end or replace this process any more.
  process.on('disconnect', () => ending.resolve(exitCodes.done));
  process.on('SIGTERM', () => ending.resolve(exitCodes.done));
  // A terminal sends these to all of its processes; the supervisor decides what they mean.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', (error) => {
    // A hook may have left it behind, such as a request that nobody awaits: that says nothing about this process.
    if (hasHooks) log.error({ err: error }, 'a promise was rejected that nobody waits for, perhaps one of a hook');
    else crash(error);
  });

  setInterval(() => send({ kind: 'beat' }), beatMs);
  send({ kind: 'loaded' });

  const exitCode = await ending.promise;
  setTimeout(() => {
    log.error('the stop took too long');
    process.exit(exitCodes.refused);
  }, stopLimitMs);
  try {
    await (await service?.catch(() => undefined))?.stop();
  } catch (error) {
    log.fatal({ err: error }, 'the stop failed');
    process.exit(exitCodes.refused);
  }
  return process.exit(exitCode);
}
