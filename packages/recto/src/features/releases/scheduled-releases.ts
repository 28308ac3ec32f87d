import type { AuthServices } from '../../auth/auth-services.ts';
import type { AuthenticatedCaller } from '../../base/caller.ts';
import type { Logger } from '../../base/logger.ts';
import { Problem } from '../../base/problem.ts';
import type { Failure, Release, ReleaseProblem } from '../../releases/release.ts';
import { ofRelease } from '../../releases/release-problems.ts';
import type { ReleaseParts } from './release-parts.ts';
import { schedulerOf } from './release-scheduler.ts';

/** Publishes scheduled releases when they are due. Of several processes, one does it. */
export class ScheduledReleases {
  readonly #parts: ReleaseParts;
  readonly #auth: AuthServices;
  readonly #log: Logger;

  constructor(parts: ReleaseParts, auth: AuthServices, log: Logger) {
    this.#parts = parts;
    this.#auth = auth;
    this.#log = log;
  }

  /** When one is due, in milliseconds since 1970; null for none. */
  async dueAt(): Promise<number | null> {
    const due = await this.#parts.store.nextDue();
    return due === null ? null : Date.parse(due);
  }

  /** Publishes all that are due. Ends early when `signal` is aborted; rejects where the database is away. */
  async run(signal: AbortSignal): Promise<void> {
    for (const release of await this.#parts.store.due(new Date(this.#parts.now()).toISOString())) {
      if (signal.aborted) return;
      await this.#publish(release);
    }
  }

  async #publish(release: Release): Promise<void> {
    const { records, releases: load } = this.#parts;
    const releases = await load();
    const caller = await schedulerOf(release, this.#auth, this.#parts.types);
    if (caller === undefined) return this.#fail(release, null, [goneScheduler]);
    try {
      await records.runInTransaction(await releases.preparePublication(caller, release.id, 'scheduled'));
    } catch (error) {
      // A database that is busy or away, or somebody who has cancelled or published it meanwhile.
      if (error instanceof Problem && (error.status === 503 || isOver(error))) {
        if (error.status === 503) throw error;
        return;
      }
      if (error instanceof Problem && error.status < 500) return this.#fail(release, caller, problemsIn(error));
      this.#log.error({ release: release.id, err: error }, 'a scheduled release failed');
      return this.#fail(release, caller, [serviceError]);
    }
  }

  async #fail(
    release: Release,
    caller: AuthenticatedCaller | null,
    problems: readonly ReleaseProblem[],
  ): Promise<void> {
    const failure: Failure = { problems, role: caller?.role ?? null };
    const releases = await this.#parts.releases();
    this.#log.warn({ release: release.id, problems: problems.length }, 'a scheduled release was not published');
    await this.#parts.records.database.transaction((transaction) =>
      releases.fail(transaction, caller, release, failure),
    );
  }
}

const isOver = ({ code }: Problem): boolean =>
  code === 'release_changed' || code === 'release_published' || code === 'not_found';

/** The problems that publishing was refused with; of an error without any, its words. */
function problemsIn({ members, code, message }: Problem): readonly ReleaseProblem[] {
  const found = members?.problems;
  // Written by `notPublished` alone.
  return Array.isArray(found) ? (found as readonly ReleaseProblem[]) : [ofRelease(code, message)];
}

const goneScheduler = ofRelease('not_allowed', 'Whoever scheduled this release may not publish it any more.');
const serviceError = ofRelease('service_error', 'The service failed while publishing. Its log says of what.');
