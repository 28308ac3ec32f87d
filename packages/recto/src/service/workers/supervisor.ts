import type { Logger } from '../../base/logger.ts';
import type { Assignment, Completed, Preparation, Prepared } from './messages.ts';
import { SupervisorDesk } from './supervisor-desk.ts';
import { describeEnd, WorkerProcess } from './worker-process.ts';

export interface SupervisorOptions {
  readonly count: number;
  /** What starts a worker. */
  readonly command: readonly string[];
  readonly log: Logger;
  readonly timing?: Timing;
}

/** All in milliseconds. */
export interface Timing {
  /** How often workers are looked at. */
  readonly lookEvery: number;
  /** A worker that says nothing for so long is ended: its event loop does not turn. */
  readonly silence: number;
  /** What is waited before a worker is replaced that died so many times in a row; the last for all further times. */
  readonly delays: readonly number[];
  /** One that has lived so long has not died in a row. */
  readonly steadyAfter: number;
}

/** No answer takes half a minute of one turn of the event loop; a machine that has no time for any process does not count. */
const usualTiming: Timing = {
  lookEvery: 1_000,
  silence: 30_000,
  delays: [0, 1_000, 2_000, 5_000, 10_000, 30_000],
  steadyAfter: 60_000,
};

interface Place {
  /** From 1. */
  readonly worker: number;
  process: WorkerProcess;
  /** How often its processes died, each soon after its start. */
  deaths: number;
}

/**
 * Keeps a number of worker processes serving: starts them, replaces those that die or hang, ends them all. Their processes
 * load from the moment this is created, and serve when `serve` is called.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #timing: Timing;
  readonly #places: readonly Place[];
  readonly #desk = new SupervisorDesk(() => this.#places.map((place) => place.process));
  #looking: Timer | undefined;
  #stopping = false;
  readonly #endAll = (): void => {
    for (const { process: worker } of this.#places) worker.kill();
  };

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#timing = options.timing ?? usualTiming;
    this.#places = Array.from({ length: options.count }, (_, index) => ({
      worker: index + 1,
      process: this.#launch(),
      deaths: 0,
    }));
    // However this process ends, short of being killed; workers that lose it then end by themselves.
    process.on('exit', this.#endAll);
  }

  /** Has one worker prepare the database for all; rejects with its `FatalError`. */
  prepare(preparation: Preparation): Promise<Prepared> {
    const [first, ...others] = this.#places;
    if (first === undefined) throw new Error('A supervisor has workers.');
    for (const { process: worker } of others) void worker.expect(preparation.settings);
    return first.process.prepare(preparation);
  }

  /** Has one worker do what is left to do once all listen. */
  complete(): Promise<Completed> {
    const [first] = this.#places;
    if (first === undefined) throw new Error('A supervisor has workers.');
    return first.process.complete();
  }

  /** Resolves when all workers listen; rejects with the `FatalError` of the first that cannot. */
  async serve(assignment: Assignment): Promise<void> {
    await Promise.all(this.#places.map((place) => this.#serve(place, assignment)));
    for (const place of this.#places) void this.#keep(place, assignment);
    const { lookEvery, silence } = this.#timing;
    // Looks are counted, and not time: when this process was stopped too, no worker is to blame.
    this.#looking = setInterval(() => this.#look(silence / lookEvery), lookEvery);
  }

  /** From now on, readiness probes succeed. */
  ready(): void {
    for (const { process: worker } of this.#places) worker.send({ kind: 'ready' });
  }

  /** Lets all workers finish what they do; resolves when they have ended, with whether all did in order. */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    clearInterval(this.#looking);
    const ends = await Promise.all(this.#places.map(({ process: worker }) => worker.stop()));
    process.off('exit', this.#endAll);
    return ends.every((inOrder) => inOrder);
  }

  async #keep(place: Place, assignment: Assignment): Promise<void> {
    const { log } = this.#options;
    const { delays, steadyAfter } = this.#timing;
    for (;;) {
      const end = await place.process.ended;
      if (this.#stopping) return;
      this.#desk
        .removeWorker(place.process)
        .catch((error) => log.error({ err: error }, 'what a worker counted is lost'));
      const { worker } = place;
      const steady = performance.now() - place.process.startedAt >= steadyAfter;
      place.deaths = steady ? 1 : place.deaths + 1;
      const delay = delays[Math.min(place.deaths, delays.length) - 1] ?? 0;
      log.error({ worker, pid: place.process.pid, end: describeEnd(end), replaced_after_ms: delay }, 'a worker ended');
      if (delay > 0) await Bun.sleep(delay);
      if (this.#stopping) return;
      place.process = this.#launch();
      await this.#replace(place, assignment);
    }
  }

  async #replace(place: Place, assignment: Assignment): Promise<void> {
    const { log } = this.#options;
    const { worker } = place;
    try {
      await this.#serve(place, assignment);
      place.process.send({ kind: 'ready' });
      log.info({ worker, pid: place.process.pid }, 'a worker was replaced');
    } catch (error) {
      log.error({ worker, err: error }, 'a worker could not be replaced');
    }
  }

  async #serve({ worker, process: started }: Place, assignment: Assignment): Promise<void> {
    await started.serve(assignment);
    this.#options.log.debug({ worker, pid: started.pid }, 'a worker serves');
  }

  #launch(): WorkerProcess {
    return new WorkerProcess(this.#options.command, (question) => this.#desk.answer(question));
  }

  #look(limit: number): void {
    for (const { worker, process: watched } of this.#places) {
      if (watched.look() <= limit) continue;
      this.#options.log.error({ worker, pid: watched.pid }, 'a worker does not answer any more and is ended');
      watched.kill();
    }
  }
}
