import type { Kysely } from 'kysely';
import { type Caller, system } from '../../base/caller.ts';
import { queryOf } from '../../database/compiled-query.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { DefinitionFaults } from '../../definition/definition-fault.ts';
import { plainJson } from '../../definition/json-places.ts';
import { logOtherChange } from '../../events/event-writer.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { definitionsGeneration } from '../stored-definition.ts';
import type { RoleRow, RoleTables } from './role-tables.ts';
import { type StoredRole, storedRoleFile } from './stored-role.ts';

/** The type of events of roles. No content type has such a name. */
export const roleEvents = 'recto:role';

/** Who changes a role, and when. */
export interface RoleMoment {
  readonly author: string | null;
  readonly caller?: Caller;
  /** Canonical datetime. */
  readonly now: string;
}

/** The roles that are kept in the database. Each change begins a new generation of the definitions, which every process follows. */
export class RoleStore {
  readonly #builder: Kysely<RoleTables>;
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    // The builder only compiles; the tables it may name are known only here.
    this.#builder = dialect.builder as unknown as Kysely<RoleTables>;
  }

  /** All, by name. */
  async all(executor: Executor): Promise<readonly StoredRole[]> {
    const statement = this.#builder.selectFrom('recto_roles').selectAll().orderBy('name');
    const rows = await executor.rows<RoleRow>(queryOf(statement.compile()));
    return rows.map(storedRole);
  }

  /** Whether the table exists: reading does not create it. */
  async exists(executor: Executor): Promise<boolean> {
    return (await executor.rows(this.#dialect.schema.columns('recto_roles'))).length > 0;
  }

  /** Creates or replaces a role; returns what is stored. */
  async put(
    transaction: Transaction,
    name: string,
    definition: JsonValue,
    moment: RoleMoment,
    before: StoredRole | undefined,
  ): Promise<StoredRole> {
    const { author, now } = moment;
    logRole(transaction, name, before === undefined ? 'create' : 'update', moment);
    const revision = (before?.revision ?? 0) + 1;
    const createdAt = before?.createdAt ?? now;
    const fields = {
      ...{ definition: JSON.stringify(definition), revision, author },
      ...{ created_at: createdAt, updated_at: now },
    };
    const insert = this.#builder
      .insertInto('recto_roles')
      .values({ ...fields, name })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(fields));
    await transaction.run(queryOf(insert.compile()));
    transaction.touch(definitionsGeneration);
    return { name, definition, revision, author, createdAt, updatedAt: now };
  }

  async remove(transaction: Transaction, name: string, moment: RoleMoment): Promise<void> {
    logRole(transaction, name, 'delete', moment);
    await transaction.run(queryOf(this.#builder.deleteFrom('recto_roles').where('name', '=', name).compile()));
    transaction.touch(definitionsGeneration);
  }
}

function logRole(
  transaction: Transaction,
  id: string,
  action: 'create' | 'update' | 'delete',
  { caller = system, now: at }: RoleMoment,
): void {
  logOtherChange(transaction, { type: roleEvents, id, tenant: null, action, changed: [], caller, at });
}

/** Throws `DefinitionFaults` for one that was changed past the service. */
function storedRole(row: RoleRow): StoredRole {
  const definition = plainJson(row.definition);
  if (definition === undefined) {
    const message = 'is not JSON, or has a member twice';
    const remedy = 'restore a backup, or correct its row in recto_roles';
    throw new DefinitionFaults([{ file: storedRoleFile(row.name), path: '', message, remedy }]);
  }
  return {
    name: row.name,
    definition,
    revision: Number(row.revision),
    author: row.author,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
