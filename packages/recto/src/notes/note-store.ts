import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Executor, Query, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { mostNotes, type Note } from './note.ts';
import type { NoteRow } from './note-table.ts';

/** A record, and whose notes on it. */
type NotedRecord = Pick<Note, 'type' | 'record' | 'tenant'>;

const ofPlace = ({ type, record, tenant }: NotedRecord): RawBuilder<unknown> =>
  sql`"type" = ${type} and "record" = ${record} and "tenant" = ${tenant ?? ''}`;

/** The statements on notes. Who may do what is in `notes.ts`. */
export class NoteStore {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** The notes that a tenant has on a record, in the order in which they were written. */
  async ofRecord(executor: Pick<Executor, 'rows'>, place: NotedRecord): Promise<readonly Note[]> {
    const select = sql`select * from recto_notes where ${ofPlace(place)}
      order by "id" limit ${sql.lit(mostNotes)}`;
    return (await executor.rows<NoteRow>(this.#query(select))).map(noteOf);
  }

  /** How many notes a tenant has on a record. */
  async count(executor: Pick<Executor, 'first'>, place: NotedRecord): Promise<number> {
    const select = sql`select count(*) as "notes" from recto_notes where ${ofPlace(place)}`;
    return Number((await executor.first<{ notes: number | string }>(this.#query(select)))?.notes ?? 0);
  }

  async get(executor: Pick<Executor, 'first'>, id: string): Promise<Note | undefined> {
    const row = await executor.first<NoteRow>(this.#query(sql`select * from recto_notes where "id" = ${id}`));
    return row === undefined ? undefined : noteOf(row);
  }

  /** Whether somebody else has replied to a note. */
  async hasRepliesOfOthers(executor: Pick<Executor, 'first'>, { id, author }: Note): Promise<boolean> {
    const select = sql`select 1 as "found" from recto_notes where "parent" = ${id} and "author" <> ${author} limit 1`;
    return (await executor.first(this.#query(select))) !== undefined;
  }

  async insert(transaction: Transaction, note: Note): Promise<void> {
    const entries: readonly [string, SqlValue][] = Object.entries(rowOf(note));
    const names = sql.join(entries.map(([name]) => sql.ref(name)));
    const values = sql.join(entries.map(([, value]) => value));
    await transaction.run(this.#query(sql`insert into recto_notes (${names}) values (${values})`));
  }

  async update(transaction: Transaction, note: Note): Promise<void> {
    const { text, mentions, updated_at, resolved_at, resolved_by } = rowOf(note);
    await transaction.run(
      this.#query(sql`update recto_notes set "text" = ${text}, "mentions" = ${mentions}, "updated_at" = ${updated_at},
        "resolved_at" = ${resolved_at}, "resolved_by" = ${resolved_by} where "id" = ${note.id}`),
    );
  }

  /** Removes a note, and the replies to it. */
  async remove(transaction: Transaction, id: string): Promise<void> {
    await transaction.run(this.#query(sql`delete from recto_notes where "id" = ${id} or "parent" = ${id}`));
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#dialect);
  }
}

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));

const noteOf = (row: NoteRow): Note => ({
  id: row.id,
  type: row.type,
  record: row.record,
  tenant: row.tenant === '' ? null : row.tenant,
  field: row.field,
  language: row.language,
  quote: row.quote === null ? null : JSON.parse(row.quote),
  text: row.text,
  mentions: JSON.parse(row.mentions),
  parent: row.parent,
  author: row.author,
  createdAt: Number(row.created_at),
  updatedAt: numberOrNull(row.updated_at),
  resolvedAt: numberOrNull(row.resolved_at),
  resolvedBy: row.resolved_by,
});

const rowOf = (note: Note): NoteRow => ({
  id: note.id,
  type: note.type,
  record: note.record,
  tenant: note.tenant ?? '',
  field: note.field,
  language: note.language,
  quote: note.quote === null ? null : JSON.stringify(note.quote),
  text: note.text,
  mentions: JSON.stringify(note.mentions),
  parent: note.parent,
  author: note.author,
  created_at: note.createdAt,
  updated_at: note.updatedAt,
  resolved_at: note.resolvedAt,
  resolved_by: note.resolvedBy,
});
