import { invalid } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { ChangedValues, StoredRecord } from '../../definition/protocol.ts';
import type { RecordChanges } from '../checks/payload.ts';
import type { Links, StoredLinks } from '../checks/stored-links.ts';
import { revisionBody } from '../revisions/revision-body.ts';
import { type HookedChanges, type HookedWrite, recordToBe, takeHooked } from './hook-changes.ts';
import type { WriteContext } from './write-context.ts';
import type { HookedRecord, TypeHooks } from './write-hooks.ts';
import type { UpdateRecordRequest } from './write-request.ts';

interface UpdatedRecord {
  readonly current: StoredRecord;
  readonly links: StoredLinks;
}

/** What code of a deployment has to do with one update, in its transaction. */
export class UpdateHooks {
  readonly #hooks: TypeHooks | undefined;
  readonly #request: Pick<UpdateRecordRequest, 'type' | 'caller' | 'payload'>;
  readonly #updated: UpdatedRecord;

  constructor(
    { hooks }: WriteContext,
    request: Pick<UpdateRecordRequest, 'type' | 'caller' | 'payload'>,
    updated: UpdatedRecord,
  ) {
    this.#hooks = hooks?.(request.type);
    this.#request = request;
    this.#updated = updated;
  }

  /** What `check` makes of valid changes. `acted`: values that the update sets besides, which it is shown. */
  async check(changes: RecordChanges, acted: ChangedValues): Promise<Pick<HookedChanges, 'changes' | 'faults'>> {
    const check = this.#hooks?.check;
    if (check === undefined) return { changes, faults: [] };
    const { write, shown } = await this.#shown(changes, acted);
    return takeHooked(write, recordToBe(write), shown.record, check(shown));
  }

  /** What `write` makes of the changes; undefined where there is no such hook. */
  async write(transaction: Transaction, changes: RecordChanges): Promise<HookedChanges | undefined> {
    const run = this.#hooks?.write;
    if (run === undefined) return undefined;
    const { write, shown } = await this.#shown(changes, {});
    const hooked = takeHooked(write, recordToBe(write), shown.record, await run(shown, transaction));
    if (hooked.faults.length > 0) throw invalid(hooked.faults);
    return hooked;
  }

  async #shown(
    changes: RecordChanges,
    acted: ChangedValues,
  ): Promise<{ readonly write: HookedWrite; readonly shown: HookedRecord }> {
    const { type, caller, payload } = this.#request;
    const { current } = this.#updated;
    const links: Links = await this.#updated.links.all(type);
    const write = { type, record: { ...current, ...acted }, links, changes, payload };
    const before = revisionBody(type, current, links);
    return { write, shown: { type, caller, record: recordToBe(write), before } };
  }
}
