import type { Allowance, RateCounters } from '../../auth/rate-counters.ts';
import type { MetricSnapshot } from '../../http/metrics/metric-snapshot.ts';
import type { Question } from './messages.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Answers workers' questions about all workers. */
export class SupervisorDesk {
  readonly #workers: () => readonly WorkerProcess[];
  #counters: Promise<RateCounters> | undefined;
  /** The last snapshot of each worker. */
  readonly #snapshots = new Map<WorkerProcess, MetricSnapshot>();
  /** The totals of those that have died, from their last snapshots. */
  #left: MetricSnapshot = [];
  #deaths = 0;
  #gathering: Promise<string> | undefined;

  constructor(workers: () => readonly WorkerProcess[]) {
    this.#workers = workers;
  }

  answer(question: Question): unknown {
    switch (question.about) {
      case 'call':
        return this.#count(question.allowance, question.key);
      case 'workers':
        return this.#workers().filter(({ serving }) => serving).length;
      case 'metrics':
        this.#gathering ??= this.#gather().finally(() => {
          this.#gathering = undefined;
        });
        return this.#gathering;
    }
  }

  async #count(allowance: Allowance, key: string): Promise<number> {
    // Loaded with the first use: workers begin to load when the supervisor has.
    this.#counters ??= import('../../auth/rate-counters.ts').then(
      ({ memoryCounters }) => memoryCounters(),
      (error) => {
        // It may be readable the next time.
        this.#counters = undefined;
        throw error;
      },
    );
    return (await this.#counters).count(allowance, key);
  }

  /** Keeps the totals of a worker that has died. */
  async removeWorker(worker: WorkerProcess): Promise<void> {
    this.#deaths += 1;
    const last = this.#snapshots.get(worker);
    if (last === undefined) return;
    const { sumOfTotals } = await metricsModule();
    this.#left = await sumOfTotals([this.#left, last]);
    this.#snapshots.delete(worker);
  }

  async #gather(): Promise<string> {
    const { sumText, supervisorSnapshot } = await metricsModule();
    const measured = this.#workers().map(async (worker) => {
      // A worker that does not answer counts with its last snapshot: a shrinking sum would look like a restart.
      const snapshot = (await worker.measure()) ?? this.#snapshots.get(worker);
      if (snapshot !== undefined && worker.serving) this.#snapshots.set(worker, snapshot);
      return snapshot ?? [];
    });
    const snapshots = await Promise.all(measured);
    return sumText([...snapshots, this.#left, await supervisorSnapshot(this.#deaths)]);
  }
}

/** Loaded with the first scrape, as the workers do. */
const metricsModule = () => import('../../http/metrics/metric-snapshot.ts');
