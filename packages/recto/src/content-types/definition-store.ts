import type { Kysely } from 'kysely';
import { type Caller, system } from '../base/caller.ts';
import { queryOf } from '../database/compiled-query.ts';
import type { Executor, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { DefinitionFaults } from '../definition/definition-fault.ts';
import { plainJson } from '../definition/json-places.ts';
import { logOtherChange } from '../events/event-writer.ts';
import type { JsonValue } from '../values/value-kind.ts';
import type { DefinitionTables, RevisionRow, TypeRow } from './definition-tables.ts';
import {
  actions,
  type DefinitionRevision,
  definitionsGeneration,
  type Keeper,
  keepers,
  type StoredDefinition,
  storedSource,
} from './stored-definition.ts';

/** How many revisions of a type are kept. */
const keptRevisions = 50;

/** Who changes a definition, and when. */
export interface ChangeMoment {
  readonly author: string | null;
  /** Default: an operator, by the command line. */
  readonly caller?: Caller;
  /** Canonical datetime. */
  readonly now: string;
}

/** The type of events of definitions. No content type has such a name. */
export const definitionEvents = 'recto:content_type';

function logDefinition(
  transaction: Transaction,
  id: string,
  action: 'create' | 'update' | 'delete',
  { caller = system, now: at }: ChangeMoment,
): void {
  logOtherChange(transaction, { type: definitionEvents, id, tenant: null, action, changed: [], caller, at });
}

/** The stored definitions and their revisions. */
export class DefinitionStore {
  readonly #builder: Kysely<DefinitionTables>;
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    // The builder only compiles; the tables it may name are known only here.
    this.#builder = dialect.builder as unknown as Kysely<DefinitionTables>;
  }

  /** All, by singular name. */
  async all(executor: Executor): Promise<readonly StoredDefinition[]> {
    const statement = this.#builder.selectFrom('recto_content_types').selectAll().orderBy('singular');
    const rows = await executor.rows<TypeRow>(queryOf(statement.compile()));
    return rows.map(storedDefinition);
  }

  /** Whether the tables exist: reading does not create them. */
  async exists(executor: Executor): Promise<boolean> {
    return (await executor.rows(this.#dialect.schema.columns('recto_content_types'))).length > 0;
  }

  /** Creates or replaces the definition of a type; returns what is stored. */
  async put(
    transaction: Transaction,
    singular: string,
    definition: JsonValue,
    moment: ChangeMoment,
    before: StoredDefinition | undefined,
  ): Promise<StoredDefinition> {
    const { author, now } = moment;
    const action = before === undefined ? 'created' : 'replaced';
    logDefinition(transaction, singular, before === undefined ? 'create' : 'update', moment);
    const revision = await this.#note(transaction, singular, { action, definition, author, now });
    const keeper: Keeper = 'api';
    const createdAt = before?.createdAt ?? now;
    const fields = {
      ...{ definition: JSON.stringify(definition), revision, keeper, author },
      ...{ created_at: createdAt, updated_at: now },
    };
    const insert = this.#builder
      .insertInto('recto_content_types')
      .values({ ...fields, singular })
      .onConflict((conflict) => conflict.column('singular').doUpdateSet(fields));
    await transaction.run(queryOf(insert.compile()));
    transaction.touch(definitionsGeneration);
    return { singular, definition, revision, keeper, author, createdAt, updatedAt: now };
  }

  async remove(transaction: Transaction, singular: string, moment: ChangeMoment): Promise<void> {
    const { author, now } = moment;
    logDefinition(transaction, singular, 'delete', moment);
    await this.#note(transaction, singular, { action: 'deleted', definition: null, author, now });
    const statement = this.#builder.deleteFrom('recto_content_types').where('singular', '=', singular);
    await transaction.run(queryOf(statement.compile()));
    transaction.touch(definitionsGeneration);
  }

  /** Hands a definition over to files. */
  async handOver(transaction: Transaction, stored: StoredDefinition, { author, now }: ChangeMoment): Promise<void> {
    const { singular, definition } = stored;
    const revision = await this.#note(transaction, singular, { action: 'handed_over', definition, author, now });
    await this.#keep(transaction, singular, { keeper: 'handover', revision, author, updated_at: now });
  }

  /** Records that files define the type from now on. */
  settle(transaction: Transaction, singular: string): Promise<void> {
    return this.#keep(transaction, singular, { keeper: 'files' });
  }

  /** One page of a type's revisions, newest first, and their number. */
  async revisions(
    executor: Executor,
    singular: string,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly revisions: readonly DefinitionRevision[]; readonly total: number }> {
    const ofType = this.#builder.selectFrom('recto_content_type_revisions').where('singular', '=', singular);
    const page = ofType.selectAll().orderBy('revision', 'desc').limit(limit).offset(offset);
    const rows = await executor.rows<RevisionRow>(queryOf(page.compile()));
    const count = ofType.select((select) => select.fn.countAll().as('total'));
    const counted = await executor.first<{ total: unknown }>(queryOf(count.compile()));
    return { revisions: rows.map(definitionRevision), total: Number(counted?.total ?? 0) };
  }

  async #keep(
    transaction: Transaction,
    singular: string,
    fields: Partial<TypeRow> & { readonly keeper: Keeper },
  ): Promise<void> {
    const statement = this.#builder.updateTable('recto_content_types').set(fields).where('singular', '=', singular);
    await transaction.run(queryOf(statement.compile()));
    transaction.touch(definitionsGeneration);
  }

  /** Adds a revision to a type's history and returns its number. */
  async #note(
    transaction: Transaction,
    singular: string,
    change: ChangeMoment & Pick<DefinitionRevision, 'action' | 'definition'>,
  ): Promise<number> {
    const { action, definition, author, now } = change;
    const history = 'recto_content_type_revisions';
    const last = this.#builder
      .selectFrom(history)
      .select((select) => select.fn.max('revision').as('last'))
      .where('singular', '=', singular);
    const found = await transaction.first<{ last: unknown }>(queryOf(last.compile()));
    const revision = Number(found?.last ?? 0) + 1;
    const text = definition === null ? null : JSON.stringify(definition);
    const row = { singular, revision, action, definition: text, author, made_at: now };
    await transaction.run(queryOf(this.#builder.insertInto(history).values(row).compile()));
    const old = this.#builder
      .deleteFrom(history)
      .where('singular', '=', singular)
      .where('revision', '<=', revision - keptRevisions);
    await transaction.run(queryOf(old.compile()));
    return revision;
  }
}

const storedDefinition = (row: TypeRow): StoredDefinition => ({
  singular: row.singular,
  definition: definitionOf(row),
  revision: Number(row.revision),
  keeper: oneOf(keepers, row.keeper),
  author: row.author,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Throws `DefinitionFaults` for one that was changed past the service. */
function definitionOf({ singular, definition }: TypeRow): JsonValue {
  const read = plainJson(definition);
  if (read !== undefined) return read;
  const { file } = storedSource(singular, null);
  const message = 'is not JSON, or has a member twice';
  const remedy = 'restore a backup, or correct its row in recto_content_types';
  throw new DefinitionFaults([{ file, path: '', message, remedy }]);
}

const definitionRevision = (row: RevisionRow): DefinitionRevision => ({
  revision: Number(row.revision),
  action: oneOf(actions, row.action),
  definition: row.definition === null ? null : JSON.parse(row.definition),
  author: row.author,
  madeAt: row.made_at,
});

function oneOf<T extends string>(words: readonly T[], word: string): T {
  const found = words.find((each) => each === word);
  if (found === undefined) throw new Error(`The stored word "${word}" is none of ${words.join(', ')}.`);
  return found;
}
