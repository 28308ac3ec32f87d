import { isDeepStrictEqual } from 'node:util';
import type { FieldFault } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { safeCopy } from '../../definition/safe-copy.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { checkPayload, type RecordChanges } from '../checks/payload.ts';
import { applyProtocols, valuesByName } from '../checks/protocol-values.ts';
import type { Links } from '../checks/stored-links.ts';
import type { RevisionBody } from '../revisions/revision.ts';
import { revisionBody } from '../revisions/revision-body.ts';

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
