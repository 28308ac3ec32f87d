import { conflict, invalid, notFound, type Problem } from '../../base/problem.ts';
import type { Executor, Transaction, TransactionWork } from '../../database/database.ts';
import { type CheckTraits, checkDefinitions } from '../../definition/check-definitions.ts';
import { type DefinitionFault, faultText } from '../../definition/definition-fault.ts';
import type { DefinitionSource } from '../../definition/definition-source.ts';
import { noRoleFiles } from '../../definition/roles/role-files.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { definitionLimits } from '../definition-limits.ts';
import { definitionProblem } from '../definition-problems.ts';
import { roleSources } from '../definition-set.ts';
import type { LiveDefinitions, ServedTypes } from '../live-definitions.ts';
import { storedSource } from '../stored-definition.ts';
import { type RoleEntry, roleEntry } from './role-entry.ts';
import type { RoleMoment } from './role-store.ts';
import type { StoredRole } from './stored-role.ts';

/** How many roles can be created through the API. */
export const mostStoredRoles = 100;

/** A role as it was sent. */
export type SentRole = Readonly<Record<string, unknown>>;

/** What uses a role besides the rules of content types, in words; empty: nothing. */
export type RoleUses = (executor: Executor, name: string) => Promise<readonly string[]>;

/**
 * Changes to the roles that are created through the API. Each is checked with all content types and roles in the transaction that
 * makes it, so that no set with errors is ever stored. It holds from the next request on, in every process.
 */
export class RoleChanges {
  readonly #definitions: LiveDefinitions;
  readonly #usesOf: RoleUses;
  /** Called in each transaction that changes a role: what was decided by its rights is decided anew. */
  readonly #changed: (transaction: Transaction) => void;

  constructor(definitions: LiveDefinitions, usesOf: RoleUses, changed: (transaction: Transaction) => void) {
    this.#definitions = definitions;
    this.#usesOf = usesOf;
    this.#changed = changed;
  }

  /** All roles of the installation's own as of now, by name. */
  async entries(): Promise<readonly RoleEntry[]> {
    // Throws when the database is gone, which a mere check ignores.
    await this.#definitions.database.generations.refresh();
    await this.#definitions.look();
    return entriesOf(this.#definitions.current);
  }

  async entry(name: string): Promise<RoleEntry> {
    const found = (await this.entries()).find((each) => each.name === name);
    if (found === undefined) throw noSuchRole(name);
    return found;
  }

  /** Prepares creating a role. */
  creation(sent: SentRole, moment: RoleMoment): TransactionWork<RoleEntry> {
    return async (transaction) => {
      const current = await this.#definitions.seenBy(transaction);
      if (current.roles.length >= mostStoredRoles)
        throw invalid([
          { field: '', code: 'too_many', message: `At most ${mostStoredRoles} roles can be created through the API.` },
        ]);
      return this.#store(transaction, sent, { current, moment, before: undefined });
    };
  }

  /** Prepares replacing a role. */
  replacement(name: string, sent: SentRole, moment: RoleMoment): TransactionWork<RoleEntry> {
    return async (transaction) => {
      const current = await this.#definitions.seenBy(transaction);
      const before = this.#own(name, current);
      if (sent.name !== undefined && sent.name !== name) {
        const message = `The path names "${name}". A role keeps its name: accounts and rules go by it.`;
        throw invalid([{ field: 'name', code: 'immutable', message }]);
      }
      return this.#store(transaction, { ...sent, name }, { current, moment, before });
    };
  }

  /** Prepares deleting a role. Throws 409 `role_in_use` where accounts, API tokens, providers or rules have it. */
  removal(name: string, moment: RoleMoment): TransactionWork<void> {
    return async (transaction) => {
      const current = await this.#definitions.seenBy(transaction);
      this.#own(name, current);
      const uses = [...(await this.#usesOf(transaction, name)), ...this.#namedBy(name, current)];
      if (uses.length > 0) throw conflict('role_in_use', `The role "${name}" is in use: ${uses.join('; ')}.`);
      await this.#definitions.roleStore.remove(transaction, name, moment);
      this.#changed(transaction);
    };
  }

  /** Commits a change. Once it resolves, this process follows it; others do from their next request on. */
  async commit<T>(work: TransactionWork<T>): Promise<T> {
    const done = await this.#definitions.database.transaction(work);
    await this.#definitions.look();
    return done;
  }

  async #store(
    transaction: Transaction,
    sent: SentRole,
    {
      current,
      moment,
      before,
    }: { readonly current: ServedTypes; readonly moment: RoleMoment; readonly before: StoredRole | undefined },
  ): Promise<RoleEntry> {
    const { bytes } = definitionLimits;
    if (Buffer.byteLength(JSON.stringify(sent)) > bytes)
      throw invalid([{ field: '', code: 'too_long', message: `A role has at most ${bytes} bytes.` }]);
    const { types, faults } = this.#checked(current, before?.name, sent);
    const role = types?.ownRoles.all.find(({ source }) => source === sentName);
    if (faults !== undefined || role === undefined) throw definitionProblem(faults ?? [], sentName);
    // True because it came as JSON.
    const definition = sent as JsonValue;
    const stored = await this.#definitions.roleStore.put(transaction, role.name, definition, moment, before);
    this.#changed(transaction);
    return roleEntry({ ...role, stored: true }, stored);
  }

  /** All definitions and roles, without the one of this name and with the one that was sent. */
  #checked(current: ServedTypes, without: string | undefined, sent?: SentRole) {
    const { builtIn, files, registry, languages } = this.#definitions.deployed;
    const others = current.roles.filter(({ name }) => name !== without);
    const { sources, unreadable } = roleSources({ roles: this.#files }, others);
    const own: readonly DefinitionSource[] =
      sent === undefined ? [] : [{ file: sentName, definition: sent, stored: true }];
    const traits: CheckTraits = {
      unreadable: files.unreadable,
      ...(registry === undefined ? {} : { registry }),
      ...(languages === undefined ? {} : { languages }),
      roles: { sources: [...sources, ...own], unreadable },
    };
    const served = current.served.map(({ singular, definition }) => storedSource(singular, definition));
    return checkDefinitions([...builtIn, ...files.sources, ...served], traits);
  }

  get #files() {
    return this.#definitions.deployed.roles ?? noRoleFiles;
  }

  /** The rules of content types that would not compile without the role. */
  #namedBy(name: string, current: ServedTypes): readonly string[] {
    const before = this.#checked(current, undefined).faults ?? [];
    const after = this.#checked(current, name).faults ?? [];
    const known = new Set(before.map(placeOf));
    return after.filter((fault) => !known.has(placeOf(fault))).map(({ file, path }) => `a rule (${file}, ${path})`);
  }

  /** The role, if it was created through the API. Throws 404 or 409. */
  #own(name: string, { roles, types }: ServedTypes): StoredRole {
    const stored = roles.find((role) => role.name === name);
    if (stored !== undefined) return stored;
    const file = types.ownRoles.find(name);
    if (file === undefined) throw noSuchRole(name);
    const message = `The role "${name}" is defined in ${file.source}, which belongs to the deployment; change it there.`;
    throw conflict('belongs_to_deployment', message);
  }
}

const placeOf = (fault: DefinitionFault): string => faultText(fault);

/** No file has this name. */
const sentName = 'the role sent';

const noSuchRole = (name: string): Problem => notFound(`There is no role "${name}" that this installation has made.`);

const entriesOf = ({ types, roles }: ServedTypes): readonly RoleEntry[] => {
  const stored = new Map(roles.map((role) => [role.name, role]));
  return types.ownRoles.all
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((role) => roleEntry(role, role.stored ? stored.get(role.name) : undefined));
};
