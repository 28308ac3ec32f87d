import { isDeepStrictEqual } from 'node:util';
import { type Caller, system } from '../../base/caller.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { Languages } from '../../definition/languages/languages.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { publishedStateOf } from '../../definition/published-state.ts';
import { isTranslated } from '../../definition/stored-field.ts';
import { changedNames } from '../../definition/structure/private-members.ts';
import type { RecordChanges } from '../checks/payload.ts';
import { tenantOfRecord } from '../checks/tenancy.ts';
import { jsonValue } from '../revisions/revision-body.ts';
import type { RecordChange } from '../revisions/revision-writer.ts';

/** What was done to a record. A record that is marked as deleted counts as deleted. */
export type ChangeAction = 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'restore';

/** A change of one record. */
export interface LoggedChange {
  readonly type: ContentType;
  readonly id: string;
  readonly action: ChangeAction;
  /**
   * The names of the fields that an update changes, but for those that every write sets. In another language than the default
   * with the tag: `title@de`.
   */
  readonly changed: readonly string[];
  /** The tag of the one language whose words an update changes; null: it changes none, or several. */
  readonly language: string | null;
  readonly caller: Caller;
  readonly tenant: string | null;
  /** Canonical datetime. */
  readonly at: string;
  /** The revision that the change made; null for none. */
  readonly revision: number | null;
  /** The record's own columns before the change; null for a new record. */
  readonly before: StoredRecord | null;
}

/** Keeps changes of records, in the transactions that make them. */
export interface ChangeLog {
  add(transaction: Transaction, change: LoggedChange): void;
}

type Updated = RecordChange & { readonly kind: 'updated' };

/** What the log keeps of a change; undefined for what is part of a change that it has already, or changes nothing. */
export function loggedChange(
  change: RecordChange,
  revision: number | null,
  languages: Languages,
): LoggedChange | undefined {
  const { type, id, authorship } = change;
  const { caller, now: at } = authorship ?? { caller: system, now: new Date().toISOString() };
  const made = { type, id, caller, at, revision, changed: [], language: null };
  switch (change.kind) {
    case 'created':
      return { ...made, action: 'create', tenant: tenantOfRecord(type, change.record), before: null };
    case 'removed':
      return { ...made, action: 'delete', tenant: tenantOfRecord(type, change.record), before: change.record };
    case 'updated': {
      // The relations of a record that is brought in, in the transaction that creates it.
      if (authorship === null) return undefined;
      const { current, changes } = change;
      const fields = differing(current, changes);
      const translated = differingTranslations(change);
      if (fields.length === 0 && translated.length === 0) return undefined;
      const changed = fields.flatMap((field) => listedNames(type, field, change));
      changed.push(...translated.flatMap(({ names }) => names));
      const tags = new Set(translated.map(({ tag }) => tag));
      if (fields.some(isTranslated)) tags.add(languages.default.tag);
      const [language = null, ...others] = tags;
      return {
        ...made,
        changed,
        language: others.length === 0 ? language : null,
        action: actionOf(change),
        tenant: tenantOfRecord(type, current),
        before: current,
      };
    }
  }
}

/** Links are not compared: what names them changes them. */
function differing(current: StoredRecord, { values, related }: RecordChanges): readonly Field[] {
  const changed = [...values].filter(([{ name }, value]) => !isDeepStrictEqual(current[name] ?? null, value));
  return [...related.keys(), ...changed.map(([field]) => field)];
}

/** The values that an update changes in other languages. */
function differingTranslations({ translations }: Updated) {
  return [...(translations?.after ?? [])].flatMap(([tag, values]) => {
    const before = translations?.before.get(tag);
    return [...values].flatMap(([field, value]) => {
      const old = before?.get(field) ?? null;
      if (isDeepStrictEqual(old, value) || field.type.unversioned === true) return [];
      return [{ tag, names: changedNames(field, jsonValue(old), jsonValue(value)).map((name) => `${name}@${tag}`) }];
    });
  });
}

function listedNames(type: ContentType, field: Field, { current, changes }: Updated): readonly string[] {
  const { name } = field;
  if (type.facts.bookkeeping.has(name) || field.type.unversioned === true) return [];
  return changedNames(field, jsonValue(current[name] ?? null), jsonValue(changes.values.get(field) ?? null));
}

function actionOf(change: Updated): ChangeAction {
  const { type, current, changes, authorship, translations } = change;
  const action = authorship?.action;
  if (action === 'delete' || action === 'restore') return action;
  const state = publishedStateOf(type.protocols);
  const field = state === undefined ? undefined : type.field.get(state.column);
  if (state !== undefined && field !== undefined) {
    const moves = [...(translations?.after ?? [])].map(([tag, values]) => [
      translations?.before.get(tag)?.get(field) ?? null,
      values.get(field) ?? null,
    ]);
    if (changes.values.has(field)) moves.push([current[state.column] ?? null, changes.values.get(field) ?? null]);
    const moved = moves.map(([was, is]) => [was === state.value, is === state.value]);
    if (moved.some(([was, is]) => is && !was)) return 'publish';
    if (moved.some(([was, is]) => was && !is)) return 'unpublish';
  }
  // What publishes a draft leaves the record in its state.
  return action === 'publish' ? action : 'update';
}
