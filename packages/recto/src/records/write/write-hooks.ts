import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../base/caller.ts';
import { type FieldFault, invalid } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { ChangedValues, StoredRecord } from '../../definition/protocol.ts';
import { safeCopy } from '../../definition/safe-copy.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { checkPayload, type RecordChanges } from '../checks/payload.ts';
import { applyProtocols, valuesByName } from '../checks/protocol-values.ts';
import type { Links, StoredLinks } from '../checks/stored-links.ts';
import type { RevisionBody } from '../revisions/revision.ts';
import { revisionBody } from '../revisions/revision-body.ts';
import type { UpdateRecordRequest } from './write-request.ts';

/** A record that is about to be written, in JSON form. */
export interface HookedRecord {
  readonly type: ContentType;
  readonly caller: Caller;
  /** As it would be stored. The hooks change it in place. */
  readonly record: Record<string, JsonValue>;
  /** As it is stored; null for a new record. */
  readonly before: RevisionBody | null;
}

/** Code of a deployment that runs as part of the writes of one type. Returns what it finds wrong; what it throws ends the write. */
export interface TypeHooks {
  /** Judges valid values, without waiting for anything. May run in a transaction, and more than once. */
  check?(written: HookedRecord): readonly FieldFault[];
  /** Runs in the transaction, before the row is written. */
  write?(written: HookedRecord, transaction: Transaction): Promise<readonly FieldFault[]>;
}

/** Finds what code of a deployment takes part in the writes of a type; undefined for none. */
export type HooksOfType = (type: ContentType) => TypeHooks | undefined;

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
    { hooks }: { readonly hooks?: HooksOfType },
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

/** What hooks made of a record: the changes with theirs on top, these alone, and every error. */
export interface HookedChanges {
  readonly changes: RecordChanges;
  readonly added: RecordChanges;
  readonly faults: readonly FieldFault[];
}

/** Changes of a record, of which hooks see the result. */
export interface HookedWrite {
  readonly type: ContentType;
  /** The record before the changes, or all columns of a new one; and its links. */
  readonly record: StoredRecord;
  readonly links: Links;
  readonly changes: RecordChanges;
  /** What the caller sent. Secrets are shown to hooks from here, because what is stored of them is a hash. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The record as the changes would leave it, in JSON form. */
export function recordToBe({ type, record, links, changes, payload }: HookedWrite): Record<string, JsonValue> {
  const after = { ...record, ...valuesByName(changes) };
  const body = { ...revisionBody(type, after, new Map([...links, ...changes.related])) };
  for (const { name, type: fieldType } of type.fields) {
    const sent = payload[name];
    if (fieldType.secret && typeof sent === 'string') body[name] = sent;
  }
  return body;
}

/** Takes over what hooks have changed in a record; `shown` is what they were given. Their values are checked as a caller's are. */
export function takeHooked(
  { type, record, changes }: Pick<HookedWrite, 'type' | 'record' | 'changes'>,
  shown: RevisionBody,
  made: RevisionBody,
  found: readonly FieldFault[],
): HookedChanges {
  const names = new Set([...Object.keys(shown), ...Object.keys(made)]);
  const changed = [...names].filter((name) => !isDeepStrictEqual(shown[name], made[name]));
  const secret = changed.find((name) => type.field.get(name)?.type.secret === true);
  if (secret !== undefined) throw new Error(`A hook changes ${secret}, whose values are secret.`);
  const unknown = changed.find((name) => !type.field.has(name));
  if (unknown !== undefined) throw new Error(`A hook sets ${unknown}, and ${type.singular} has no such field.`);
  // A value that was removed is one that is not there. What JSON cannot express is rejected with all other wrong values.
  // A copy: what the hook does with its value from here on changes nothing that was checked.
  const sent = Object.fromEntries(changed.map((name) => [name, safeCopy(made[name]) ?? null]));
  const added = checkPayload(type, sent, 'update');
  const next = {
    values: new Map([...changes.values, ...added.values]),
    related: new Map([...changes.related, ...added.related]),
  };
  if (changed.length > 0) {
    applyProtocols(type, next, ({ protocol }, values) =>
      protocol.derive?.(String(record.id), values, { ...record, ...values }),
    );
  }
  return { changes: next, added, faults: [...added.faults, ...found] };
}
