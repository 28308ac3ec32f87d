import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { anonymous } from '../../base/caller.ts';
import type { Query } from '../../database/database.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ValuePlaces } from '../plans/sql-parts.ts';
import type { ReadContext } from '../select/read-context.ts';
import { movingAction, type NewRevision, type RevisionBody, type RevisionHead } from './revision.ts';

/** Whose versions: the type's singular name and the record's id. */
export interface Versioned {
  readonly type: string;
  readonly record: string;
}

export interface HeadRow {
  readonly revision: number | bigint;
  readonly action: string;
  readonly author: string | null;
  readonly author_kind: 'account' | 'api_token' | null;
  readonly at: string;
  readonly restored_from: number | bigint | null;
  readonly changed: string;
  readonly private_fields: string;
  readonly name: string | null;
}

const table = sql.table('recto_revisions');
const newColumns = [
  'revision',
  'action',
  'author',
  'author_kind',
  'at',
  'restored_from',
  'changed',
  'private_fields',
] as const satisfies readonly (keyof HeadRow)[];
const newHead = sql.join(newColumns.map((name) => sql.id(name)));
const head = sql`${newHead}, "name"`;
/** Those that the limit counts: what no autosave moves any more. */
const isKept = sql`("action" <> ${sql.lit(movingAction)} or "name" is not null)`;

const ofRecord = (places: ValuePlaces) => sql`"type" = ${places.take()} and "record" = ${places.take()}`;

/** The statements on versions of records, each planned once. */
export class RevisionStatements {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  insert({ type, record }: Versioned, revision: Omit<RevisionHead, 'name'>, body: RevisionBody): Query {
    const values = [
      type,
      record,
      revision.revision,
      revision.action,
      revision.author,
      revision.authorKind,
      revision.at,
      revision.restoredFrom,
      JSON.stringify(revision.changed),
      JSON.stringify([...revision.privateFields]),
      JSON.stringify(body),
    ];
    return this.#fixed('insert', values, (places) => {
      const taken = sql.join(values.map(() => places.take()));
      return sql`insert into ${table} ("type", "record", ${newHead}, "body") values (${taken})`;
    });
  }

  /** Inserts the version after a record's last one. One row, `revision`: its number; no row where the record has none yet. */
  insertNext({ type, record }: Versioned, version: NewRevision, body: RevisionBody): Query {
    const before = [type, record];
    const after = [version.action, version.author, version.authorKind, version.at];
    const texts = [JSON.stringify(version.changed), JSON.stringify([...version.privateFields]), JSON.stringify(body)];
    return this.#fixed('next', [...before, ...after, version.restoredFrom, ...texts, type, record], (places) => {
      const take = (values: readonly unknown[]) => values.map(() => places.take());
      const begin = sql.join(take(before));
      const made = sql.join(take(after));
      // A place in a SELECT is a text for PostgreSQL.
      const restored = sql`cast(${places.take()} as integer)`;
      const end = sql.join(take(texts));
      return sql`insert into ${table} ("type", "record", ${newHead}, "body")
        select ${begin}, max("revision") + 1, ${made}, ${restored}, ${end} from ${table}
        where ${ofRecord(places)} having max("revision") is not null returning "revision"`;
    });
  }

  /** Rows `HeadRow`, newest first. */
  heads({ type, record }: Versioned): Query {
    return this.#fixed(
      'heads',
      [type, record],
      (places) => sql`select ${head} from ${table} where ${ofRecord(places)} order by "revision" desc`,
    );
  }

  /** The same, of the newest ones alone. */
  newest({ type, record }: Versioned, count: number): Query {
    return this.#fixed(
      'newest',
      [type, record, count],
      (places) =>
        sql`select ${head} from ${table} where ${ofRecord(places)} order by "revision" desc limit ${places.take()}`,
    );
  }

  /** Rows `revision` and `body`, newest first. */
  bodies({ type, record }: Versioned): Query {
    return this.#fixed(
      'bodies',
      [type, record],
      (places) => sql`select "revision", "body" from ${table} where ${ofRecord(places)} order by "revision" desc`,
    );
  }

  /** One row, `body`. */
  body({ type, record }: Versioned, revision: number): Query {
    return this.#fixed(
      'body',
      [type, record, revision],
      (places) => sql`select "body" from ${table} where ${ofRecord(places)} and "revision" = ${places.take()}`,
    );
  }

  /** Replaces what one holds and says of its making. */
  replace({ type, record }: Versioned, revision: number, version: NewRevision, body: RevisionBody): Query {
    const made = [version.action, version.at, JSON.stringify(version.changed), privateText(version)];
    return this.#fixed(
      'replace',
      [...made, JSON.stringify(body), type, record, revision],
      (places) =>
        sql`update ${table} set "action" = ${places.take()}, "at" = ${places.take()}, "changed" = ${places.take()},
          "private_fields" = ${places.take()}, "body" = ${places.take()}
          where ${ofRecord(places)} and "revision" = ${places.take()}`,
    );
  }

  /** Replaces what one says of its fields. */
  describe({ type, record }: Versioned, version: RevisionHead): Query {
    return this.#fixed(
      'describe',
      [JSON.stringify(version.changed), privateText(version), type, record, version.revision],
      (places) =>
        sql`update ${table} set "changed" = ${places.take()}, "private_fields" = ${places.take()}
          where ${ofRecord(places)} and "revision" = ${places.take()}`,
    );
  }

  /** Names one; null takes the name away. */
  name({ type, record }: Versioned, revision: number, name: string | null): Query {
    return this.#fixed(
      'name',
      [name, type, record, revision],
      (places) =>
        sql`update ${table} set "name" = ${places.take()} where ${ofRecord(places)} and "revision" = ${places.take()}`,
    );
  }

  remove({ type, record }: Versioned, revision: number): Query {
    return this.#fixed(
      'one',
      [type, record, revision],
      (places) => sql`delete from ${table} where ${ofRecord(places)} and "revision" = ${places.take()}`,
    );
  }

  /** Removes the kept ones beyond so many of them, and what is older; those with a name stay. */
  removeBeyond({ type, record }: Versioned, count: number): Query {
    return this.#fixed(
      'beyond',
      [type, record, type, record, count],
      (places) => sql`delete from ${table} where ${ofRecord(places)} and "name" is null and "revision" <= (
        select "revision" from ${table} where ${ofRecord(places)} and ${isKept}
        order by "revision" desc limit 1 offset ${places.take()})`,
    );
  }

  /** Removes those of autosaves beyond so many of them. */
  removeMovingBeyond({ type, record }: Versioned, count: number): Query {
    return this.#fixed(
      'moving-beyond',
      [type, record, type, record, count],
      (places) => sql`delete from ${table} where ${ofRecord(places)} and not ${isKept} and "revision" <= (
        select "revision" from ${table} where ${ofRecord(places)} and not ${isKept}
        order by "revision" desc limit 1 offset ${places.take()})`,
    );
  }

  /** Removes those below a number that were made before a time. */
  removeBefore({ type, record }: Versioned, at: string, revision: number): Query {
    return this.#fixed(
      'before',
      [type, record, at, revision],
      (places) =>
        sql`delete from ${table} where ${ofRecord(places)} and "at" < ${places.take()} and "revision" < ${places.take()}`,
    );
  }

  removeAll({ type, record }: Versioned): Query {
    return this.#fixed('all', [type, record], (places) => sql`delete from ${table} where ${ofRecord(places)}`);
  }

  #fixed(
    name: string,
    values: readonly SqlValue[],
    build: (places: ValuePlaces) => ReturnType<typeof sql<unknown>>,
  ): Query {
    const { plans, database } = this.#context;
    const plan = plans.get(`revisions|${name}`, () => new Plan(build(new ValuePlaces()), database.dialect));
    return plan.bind(new RequestBindings(anonymous, values));
  }
}

const privateText = ({ privateFields }: NewRevision): string => JSON.stringify([...privateFields]);

export function headOf(row: HeadRow): RevisionHead {
  return {
    revision: Number(row.revision),
    action: row.action,
    author: row.author,
    authorKind: row.author_kind,
    at: row.at,
    restoredFrom: row.restored_from === null ? null : Number(row.restored_from),
    // Both columns only ever get lists of names.
    changed: JSON.parse(row.changed) as readonly string[],
    privateFields: new Set(JSON.parse(row.private_fields) as readonly string[]),
    name: row.name,
  };
}
