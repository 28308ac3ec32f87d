import type { AuthServices } from '../../auth/auth-services.ts';
import { type AuthenticatedCaller, tenantAsked } from '../../base/caller.ts';
import { badRequest } from '../../base/problem.ts';
import type { PlannedChange, PlannedChanges } from '../../records/planned-changes.ts';
import { mostItems, type Release } from '../../releases/release.ts';
import type { ReleaseParts } from './release-parts.ts';
import { mayRelease, schedulerOf } from './release-scheduler.ts';

/** Scheduled releases as changes of records at times to come, for those who may see releases: of each, the records that they may get. */
export class PlannedReleases implements PlannedChanges {
  readonly #parts: ReleaseParts;
  readonly #auth: AuthServices;

  constructor(parts: ReleaseParts, auth: AuthServices) {
    this.#parts = parts;
    this.#auth = auth;
  }

  async until(caller: AuthenticatedCaller, at: string): Promise<readonly PlannedChange[]> {
    const { store, types } = this.#parts;
    if (!mayRelease(caller, types, 'GET')) return [];
    const changes: PlannedChange[] = [];
    let items = 0;
    for (const release of await store.dueUntil(at, tenantAsked(caller))) {
      const planned = await this.#changeOf(release, caller);
      if (planned === undefined) continue;
      items += planned.count;
      if (items > mostItems)
        throw badRequest(
          'too_many_changes',
          `Scheduled releases change more than ${mostItems} records until then: ask for an earlier time.`,
        );
      changes.push(planned.change);
    }
    return changes;
  }

  /** Undefined where it would be refused whatever is stored then, or changes nothing that the caller sees. */
  async #changeOf(release: Release, caller: AuthenticatedCaller) {
    const { records, types, releases: load } = this.#parts;
    const at = release.scheduledAt;
    const [by, releases] = [await schedulerOf(release, this.#auth, types), await load()];
    if (by === undefined || at === null) return undefined;
    const { items } = await releases.itemsFor(caller, release.id);
    if (items.length === 0) return undefined;
    const { prepareRun } = await import('../../releases/release-run.ts');
    const run = await prepareRun(records, { release: release.id, items, caller: { ...by, at } });
    const changed = Map.groupBy(
      items.flatMap(({ type, record }) => (record === null ? [] : [{ type, record }])),
      ({ type }) => type,
    );
    const change: PlannedChange = {
      at,
      types: run.types,
      records: new Map([...changed].map(([type, all]) => [type, all.map(({ record }) => record)])),
      run: async (transaction) => (await run.run(transaction)).problems.length === 0,
    };
    return { change, count: items.length };
  }
}
