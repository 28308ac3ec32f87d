import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { anonymous } from '../../base/caller.ts';
import type { Query } from '../../database/database.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ValuePlaces } from '../plans/sql-parts.ts';
import type { ReadContext } from '../select/read-context.ts';
import type { RevisionBody, RevisionHead } from './revision.ts';

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
}

const table = sql.table('recto_revisions');
const headColumns = [
  'revision',
  'action',
  'author',
  'author_kind',
  'at',
  'restored_from',
  'changed',
  'private_fields',
] as const satisfies readonly (keyof HeadRow)[];
const head = sql.join(headColumns.map((name) => sql.id(name)));

const ofRecord = (places: ValuePlaces) => sql`"type" = ${places.take()} and "record" = ${places.take()}`;

/** The statements on versions of records, each planned once. */
export class RevisionStatements {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  insert({ type, record }: Versioned, revision: RevisionHead, body: RevisionBody): Query {
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
      return sql`insert into ${table} ("type", "record", ${head}, "body") values (${taken})`;
    });
  }

  /** Inserts the version after a record's last one. One row, `revision`: its number; no row where the record has none yet. */
  insertNext({ type, record }: Versioned, version: Omit<RevisionHead, 'revision'>, body: RevisionBody): Query {
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
      return sql`insert into ${table} ("type", "record", ${head}, "body")
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

  /** One row, `body`. */
  body({ type, record }: Versioned, revision: number): Query {
    return this.#fixed(
      'body',
      [type, record, revision],
      (places) => sql`select "body" from ${table} where ${ofRecord(places)} and "revision" = ${places.take()}`,
    );
  }

  /** Removes those up to a number. */
  removeUpTo({ type, record }: Versioned, revision: number): Query {
    return this.#fixed(
      'up-to',
      [type, record, revision],
      (places) => sql`delete from ${table} where ${ofRecord(places)} and "revision" <= ${places.take()}`,
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
  };
}
