import type { SqlValue } from '../../base/bindings.ts';
import { type Caller, system } from '../../base/caller.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { publishedInLanguage, publishedStateOf } from '../../definition/published-state.ts';
import { localizedFields } from '../../definition/stored-field.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { checkPayload, copyOf } from '../checks/payload.ts';
import { applyProtocols, applyValues } from '../checks/protocol-values.ts';
import { StoredLinks } from '../checks/stored-links.ts';
import { tenantOfRecord } from '../checks/tenancy.ts';
import { draftIn, draftsOf } from '../drafts/draft.ts';
import { decodeRow } from '../statements/record-statements.ts';
import type { RecordWriter } from '../write/record-writer.ts';

/** A record that reads of a transaction are to show as published. */
export interface ShownAsPublished {
  /** The singular of its type. */
  readonly type: string;
  readonly id: string;
  /** Whether its drafts are applied. */
  readonly withDraft: boolean;
  /** What else it gets, at most once for each language; absent: nothing, and all that it says is published. */
  readonly changes?: readonly ShownChange[];
}

/** What a record gets in a language. Where languages have statuses of their own, those without any stay as they are. */
export interface ShownChange {
  /** The tag; null: the default language. */
  readonly language: string | null;
  /** By the names of fields, in JSON form. */
  readonly values: Readonly<Record<string, JsonValue>>;
  /** Another status than the published one. */
  readonly status?: string;
}

/**
 * Makes a record what publishing it would make of it, for the reads of a transaction that is rolled back. Unlike a publication it
 * asks for no rights, runs no hooks, and leaves out what could not be published, such as a slug that is taken, so that unfinished work can be seen.
 * `writers`: those of all languages, the default first.
 */
export async function publishForReads(
  writers: readonly RecordWriter[],
  transaction: Transaction,
  shown: ShownAsPublished,
): Promise<void> {
  for (const writer of writers) await publishIn(writer, transaction, shown);
}

async function publishIn(
  writer: RecordWriter,
  transaction: Transaction,
  { id, withDraft, changes: all, ...shown }: ShownAsPublished,
): Promise<void> {
  const { context, statements } = writer;
  const type = context.types.get(shown.type);
  const tag = type.shownIn?.read.language.tag ?? null;
  const given = all?.find(({ language }) => language === tag);
  // A language without a change stays as it is, and so does a status that languages share: it is set with the default language.
  if (all !== undefined && given === undefined) return;
  const row = await transaction.first<Record<string, SqlValue>>(statements.row(type, id));
  if (row === undefined) return;
  const current = decodeRow(type, row, context.database.dialect);
  const drafts = withDraft ? draftsOf(type) : undefined;
  const draft = drafts === undefined ? null : draftIn(drafts, current);
  const values = knownValues(type, { ...draft?.changes, ...given?.values });
  const state = stateIn(type, given === undefined ? current : { ...current, ...values });
  const changes = checkPayload(type, values, 'update');
  const changed = copyOf(changes);
  if (state !== undefined) applyValues(type, changed, { [state.column]: given?.status ?? state.value });
  const caller: Caller = system;
  const now = new Date().toISOString();
  applyProtocols(type, changed, ({ protocol, options }, set) =>
    protocol.onUpdate?.({ caller, now, id, changed: set }, current, options),
  );
  // What follows from a write, such as who has made it and when, is as it was.
  for (const field of bookkeepingOf(type)) changed.values.delete(field);
  const links = new StoredLinks(transaction, statements, id);
  const tenant = tenantOfRecord(type, current);
  const faults = await writer
    .checks(transaction)
    .faults({ type, id, changes: changed, tenant, current: { record: current, links }, references: 'stored' });
  const wrong = new Set(faults.map(({ field }) => /^[^.[]+/.exec(field)?.[0]));
  for (const part of [changed.values, changed.related])
    for (const field of [...part.keys()]) if (wrong.has(field.name)) part.delete(field);
  if (changed.values.size === 0 && changed.related.size === 0) return;
  await writer.update(transaction, { type, current, links, changes: changed, authorship: null });
}

/** The published state that is set in a language; undefined: there is none, or it is not this language's. */
function stateIn(type: ContentType, current: Readonly<Record<string, unknown>>) {
  const state = publishedStateOf(type.protocols);
  if (state === undefined || type.shownIn === undefined) return state;
  if (publishedInLanguage(type) === undefined) return undefined;
  // A language that says nothing is not published with the others.
  const isEmpty = localizedFields(type).every(({ name }) => name === state.column || (current[name] ?? null) === null);
  return isEmpty ? undefined : state;
}

/** Columns that say who has changed a record, and when. */
function bookkeepingOf(type: ContentType): readonly Field[] {
  const { bookkeeping } = type.facts;
  const state = publishedStateOf(type.protocols);
  return type.fields.filter(({ name }) => bookkeeping.has(name) && name !== state?.column);
}

/** What a definition still has. */
const knownValues = (
  type: ContentType,
  values: Readonly<Record<string, JsonValue>>,
): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => type.field.has(name)));
