import { isDeepStrictEqual } from 'node:util';
import { system } from '../base/caller.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { StoredRecord } from '../definition/protocol.ts';
import { publishedStateOf } from '../definition/published-state.ts';
import type { ChangeAction, LoggedChange } from './change-log.ts';
import type { RecordChanges } from './payload.ts';
import { bookkeepingOf } from './revisions/revision-body.ts';
import type { RecordChange } from './revisions/revision-writer.ts';
import { tenantOfRecord } from './tenancy.ts';

type Updated = RecordChange & { readonly kind: 'updated' };

/** What the log keeps of a change; undefined for what is part of a change that it has already, or changes nothing. */
export function loggedChange(change: RecordChange, revision: number | null): LoggedChange | undefined {
  const { type, id, authorship } = change;
  const { caller, now: at } = authorship ?? { caller: system, now: new Date().toISOString() };
  const made = { type, id, caller, at, revision, changed: [] };
  switch (change.kind) {
    case 'created':
      return { ...made, action: 'create', tenant: tenantOfRecord(type, change.record), before: null };
    case 'removed':
      return { ...made, action: 'delete', tenant: tenantOfRecord(type, change.record), before: change.record };
    case 'updated': {
      // The relations of a record that is brought in, in the transaction that creates it.
      if (authorship === null) return undefined;
      const { current, changes } = change;
      const names = differing(current, changes);
      if (names.size === 0) return undefined;
      const changed = [...names].filter((name) => !isUnlisted(type, name));
      return { ...made, changed, action: actionOf(change), tenant: tenantOfRecord(type, current), before: current };
    }
  }
}

/** Links are not compared: what names them changes them. */
function differing(current: StoredRecord, { values, related }: RecordChanges): ReadonlySet<string> {
  const names = new Set([...related.keys()].map(({ name }) => name));
  for (const [{ name }, value] of values) {
    if (!isDeepStrictEqual(current[name] ?? null, value)) names.add(name);
  }
  return names;
}

const isUnlisted = (type: ContentType, name: string): boolean =>
  bookkeepingOf(type).has(name) || type.field.get(name)?.type.unversioned === true;

function actionOf({ type, current, changes, authorship }: Updated): ChangeAction {
  const action = authorship?.action;
  if (action === 'delete' || action === 'restore') return action;
  const state = publishedStateOf(type.protocols);
  const field = state === undefined ? undefined : type.field.get(state.column);
  if (state !== undefined && field !== undefined && changes.values.has(field)) {
    const [was, is] = [current[state.column] === state.value, changes.values.get(field) === state.value];
    if (was !== is) return is ? 'publish' : 'unpublish';
  }
  // What publishes a draft leaves the record in its state.
  return action === 'publish' ? action : 'update';
}
