import { type AuthenticatedCaller, callerScopes, tenantAsked } from '../base/caller.ts';
import { isId, newId } from '../base/ids.ts';
import { conflict, type FieldFault, forbidden, invalid, notFound } from '../base/problem.ts';
import { reaches } from '../base/token-scopes.ts';
import type { Executor, Transaction } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import { logOtherChange } from '../events/event-writer.ts';
import type { Records } from '../records/records.ts';
import type { ChangeAction } from '../records/write/change-log.ts';
import { mostNotes, type Note, type Quote } from './note.ts';
import { NoteSight } from './note-sight.ts';
import type { NoteStore } from './note-store.ts';

/** The type of events of notes. No content type has such a name. */
export const noteEvents = 'recto:note';

/** The accounts, of which notes mention some. */
export interface MentionedAccounts {
  byId(executor: Executor, id: string): Promise<{ readonly tenant: string | null } | undefined>;
}

export interface NotesParts {
  readonly records: Records;
  readonly store: NoteStore;
  readonly accounts: MentionedAccounts;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A new note, as it was sent. */
export interface NoteInput {
  readonly text: string;
  readonly mentions: readonly string[];
  readonly field: string | null;
  readonly language: string | null;
  readonly quote: Quote | null;
  readonly parent: string | null;
}

/** What people do with the notes on records of one set of content types. */
export class Notes {
  readonly #records: Records;
  readonly #store: NoteStore;
  readonly #accounts: MentionedAccounts;
  readonly #now: () => number;

  constructor({ records, store, accounts, now }: NotesParts) {
    this.#records = records;
    this.#store = store;
    this.#accounts = accounts;
    this.#now = now;
  }

  /** The notes on a record that the caller sees; 404 for a record that admin reads do not show them. */
  async list(caller: AuthenticatedCaller, type: ContentType, record: string): Promise<readonly Note[]> {
    const { database } = this.#records;
    const sight = new NoteSight(this.#records, caller);
    if (!(await sight.seesRecord(database, type, record))) throw notFound();
    const tenant = sight.tenantFor(type);
    const notes = await this.#store.ofRecord(database, { type: type.singular, record, tenant });
    return notes.filter((note) => sight.sees(type, note));
  }

  async create(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    { type, record }: { readonly type: ContentType; readonly record: string },
    input: NoteInput,
  ): Promise<Note> {
    const sight = new NoteSight(this.#records, caller);
    if (!(await sight.seesRecord(transaction, type, record))) throw notFound();
    requireScope(caller, type.singular);
    const parent = input.parent === null ? undefined : await this.#store.get(transaction, input.parent);
    const faults = [
      ...this.#placeFaults(sight, type, input),
      ...(input.parent === null ? [] : replyFaults(input, { type, record, sight, parent })),
      ...(await this.#mentionFaults(transaction, caller, input.mentions)),
    ];
    if (faults.length > 0) throw invalid(faults);
    const tenant = sight.tenantFor(type);
    if ((await this.#store.count(transaction, { type: type.singular, record, tenant })) >= mostNotes)
      throw conflict('too_many_notes', `A record has at most ${mostNotes} notes.`);
    const { text, mentions } = input;
    const place = parent ?? input;
    const note: Note = {
      ...{ id: newId(), type: type.singular, record, tenant, text, mentions },
      ...{ field: place.field, language: place.language, quote: parent === undefined ? input.quote : null },
      ...{ parent: input.parent, author: caller.id, createdAt: this.#now() },
      ...{ updatedAt: null, resolvedAt: null, resolvedBy: null },
    };
    await this.#store.insert(transaction, note);
    this.#log(transaction, caller, note, 'create', mentions.length > 0 ? ['text', 'mentions'] : ['text']);
    return note;
  }

  /** Changes what a note says; only who has written it may. */
  async update(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    id: string,
    { text, mentions }: Partial<Pick<NoteInput, 'text' | 'mentions'>>,
  ): Promise<Note> {
    const before = await this.#visible(transaction, caller, id);
    if (before.author !== caller.id) throw forbidden('not_the_owner', 'Only who has written a note may change it.');
    const faults = await this.#mentionFaults(transaction, caller, mentions ?? []);
    if (faults.length > 0) throw invalid(faults);
    const changed = [
      ...(text === undefined || text === before.text ? [] : ['text']),
      ...(mentions === undefined || sameIds(mentions, before.mentions) ? [] : ['mentions']),
    ];
    if (changed.length === 0) return before;
    const after: Note = {
      ...before,
      text: text ?? before.text,
      mentions: mentions ?? before.mentions,
      updatedAt: this.#now(),
    };
    await this.#store.update(transaction, after);
    this.#log(transaction, caller, after, 'update', changed);
    return after;
  }

  /** Removes a note with its replies: one's own that nobody else has replied to, or as an admin any. */
  async remove(transaction: Transaction, caller: AuthenticatedCaller, id: string): Promise<void> {
    const note = await this.#visible(transaction, caller, id);
    if (caller.role !== 'admin') {
      if (note.author !== caller.id) throw forbidden('not_the_owner', 'Only who has written a note may delete it.');
      if (await this.#store.hasRepliesOfOthers(transaction, note))
        throw conflict('has_replies', 'Somebody has replied to this note: resolve it instead.');
    }
    await this.#store.remove(transaction, id);
    this.#log(transaction, caller, note, 'delete');
  }

  /** Closes the thread that a note is in, or opens it again. Whoever sees it may. Returns its first note. */
  async resolve(transaction: Transaction, caller: AuthenticatedCaller, id: string, resolved: boolean): Promise<Note> {
    const note = await this.#visible(transaction, caller, id);
    const first = note.parent === null ? note : await this.#visible(transaction, caller, note.parent);
    if ((first.resolvedAt !== null) === resolved) return first;
    const closed = resolved ? { resolvedAt: this.#now(), resolvedBy: caller.id } : noResolution;
    const after: Note = { ...first, ...closed };
    await this.#store.update(transaction, after);
    this.#log(transaction, caller, after, 'update', ['resolved_at']);
    return after;
  }

  /** A note that the caller is about to change; 404 for one that they do not see. */
  async #visible(transaction: Transaction, caller: AuthenticatedCaller, id: string): Promise<Note> {
    const note = isId(id) ? await this.#store.get(transaction, id) : undefined;
    const sight = new NoteSight(this.#records, caller);
    if (note === undefined || (await sight.typeOf(transaction, note)) === undefined) throw notFound();
    requireScope(caller, note.type);
    return note;
  }

  /** What the caller does not read is no field to them. */
  #placeFaults(sight: NoteSight, type: ContentType, { field, language, quote }: NoteInput): readonly FieldFault[] {
    const { languages } = this.#records.types;
    const [name = ''] = /^[^.[]*/.exec(field ?? '') ?? [];
    const isKnown = field === null || (type.field.has(name) && sight.seesField(type, field));
    return [
      ...(isKnown ? [] : [{ field: 'field', code: 'unknown_field', message: `A ${type.singular} has no such field.` }]),
      ...(quote === null || field !== null
        ? []
        : [{ field: 'field', code: 'required', message: 'A quote is of a field: name it.' }]),
      ...(language === null || languages.find(language) !== undefined
        ? []
        : [{ field: 'language', code: 'not_allowed', message: 'The service has no such language.' }]),
    ];
  }

  /** Accounts that there are, of the caller's tenant. */
  async #mentionFaults(
    executor: Executor,
    caller: AuthenticatedCaller,
    mentions: readonly string[],
  ): Promise<readonly FieldFault[]> {
    const faults: FieldFault[] = [];
    for (const [place, id] of mentions.entries()) {
      const account = isId(id) ? await this.#accounts.byId(executor, id) : undefined;
      if (account !== undefined && (caller.tenant === undefined || account.tenant === caller.tenant)) continue;
      faults.push({ field: `mentions[${place}]`, code: 'unknown_record', message: 'There is no such account.' });
    }
    return faults;
  }

  #log(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    { id }: Note,
    action: ChangeAction,
    changed: readonly string[] = [],
  ): void {
    const at = new Date(this.#now()).toISOString();
    logOtherChange(transaction, { type: noteEvents, id, tenant: tenantAsked(caller), action, changed, caller, at });
  }
}

/** An API token that is narrowed to reading writes no notes either. */
function requireScope(caller: AuthenticatedCaller, type: string): void {
  const scopes = callerScopes(caller);
  if (scopes !== undefined && !reaches(scopes, type, 'write'))
    throw forbidden('insufficient_scope', 'The scopes of this API token do not reach this.');
}

const noResolution = { resolvedAt: null, resolvedBy: null } as const;

const sameIds = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, place) => id === b[place]);

/** A reply is in a thread on the same record, and has the place of its first note. */
function replyFaults(
  { field, language, quote }: NoteInput,
  {
    type,
    record,
    sight,
    parent,
  }: {
    readonly type: ContentType;
    readonly record: string;
    readonly sight: NoteSight;
    readonly parent: Note | undefined;
  },
): readonly FieldFault[] {
  const sent = Object.entries({ field, language, quote }).filter(([, value]) => value !== null);
  const isThread =
    parent?.parent === null && parent.type === type.singular && parent.record === record && sight.sees(type, parent);
  return [
    ...(isThread ? [] : [{ field: 'parent_id', code: 'unknown_record', message: 'There is no such thread here.' }]),
    ...sent.map(([name]) => ({ field: name, code: 'not_allowed', message: 'A reply is about what its thread is.' })),
  ];
}
