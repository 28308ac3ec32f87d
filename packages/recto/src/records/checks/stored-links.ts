import type { Executor } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { junctionOf } from '../../definition/stored-field.ts';
import type { RecordStatements } from '../statements/record-statements.ts';

/** The ids that a record's relations to many lead to, in order. */
export type Links = ReadonlyMap<Field, readonly string[]>;

/** The stored ids of one record's relations to many. Each is read once, when it is first needed, before the write changes it. */
export class StoredLinks {
  readonly #executor: Executor;
  readonly #statements: RecordStatements;
  readonly #id: string;
  readonly #known = new Map<Field, Promise<readonly string[]>>();

  constructor(executor: Executor, statements: RecordStatements, id: string) {
    this.#executor = executor;
    this.#statements = statements;
    this.#id = id;
  }

  of(field: Field): Promise<readonly string[]> {
    const known = this.#known.get(field);
    if (known !== undefined) return known;
    const read = this.#read(field);
    this.#known.set(field, read);
    return read;
  }

  async all(type: ContentType): Promise<Links> {
    return this.some(type.facts.links);
  }

  async some(fields: Iterable<Field>): Promise<Links> {
    const links = new Map<Field, readonly string[]>();
    for (const field of fields) links.set(field, await this.of(field));
    return links;
  }

  async #read(field: Field): Promise<readonly string[]> {
    const junction = junctionOf(field);
    if (junction === undefined) return [];
    const rows = await this.#executor.rows<{ id: string }>(this.#statements.links.list(junction, this.#id));
    return rows.map(({ id }) => id);
  }
}
