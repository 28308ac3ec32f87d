import { FatalError } from '../base/fatal-error.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { Problem } from '../base/problem.ts';
import type { Database, Executor } from '../database/database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { DefinitionFaults } from '../definition/definition-fault.ts';
import { isSynced, type SchemaReport, syncWithin } from '../migrations/sync-schema.ts';
import { type Layouts, layoutsOf } from '../records/plans/schema-version-guard.ts';
import { type DeployedDefinitions, namesInFiles, servedDefinitions, typesOf } from './definition-set.ts';
import { DefinitionStore } from './definition-store.ts';
import { RoleStore } from './roles/role-store.ts';
import { type StoredRole, storedRoleFile } from './roles/stored-role.ts';
import { definitionsGeneration, type StoredDefinition } from './stored-definition.ts';

export interface LiveOptions {
  readonly database: Database;
  readonly deployed: DeployedDefinitions;
  /** Called with the reason when definitions that another process changed cannot be served. */
  readonly onFailure?: (error: unknown) => void;
}

/** The content types that are served, and the stored definitions among them. */
export interface ServedTypes {
  readonly types: ContentTypes;
  /** All stored definitions, by singular name. */
  readonly stored: readonly StoredDefinition[];
  /** Those among them that are served. */
  readonly served: readonly StoredDefinition[];
  /** All stored roles, by name. */
  readonly roles: readonly StoredRole[];
}

/** A reload in progress, for the generation that requested it. */
interface Renewal {
  readonly generation: number;
  readonly done: Promise<ContentTypes>;
}

/**
 * The current content types: those of the deployment, and those created through the API by any process.
 * A check for changes costs no more than reading the generations.
 */
export class LiveDefinitions {
  readonly database: Database;
  readonly store: DefinitionStore;
  readonly roleStore: RoleStore;
  readonly #onFailure: (error: unknown) => void;
  #deployed: DeployedDefinitions;
  #deployedLayouts: Layouts;
  /** The generation of the stored definitions before the last read. */
  #storedLayouts: Layouts = new Map();
  #current: ServedTypes;
  #generation: number;
  #renewal: Renewal | undefined;
  #failure: unknown;

  /** Brings the database up to the definitions. Rejects with a `FatalError` where that is impossible. */
  static async open(options: LiveOptions): Promise<{ definitions: LiveDefinitions; changes: SchemaReport }> {
    const loaded = await load(options.database, options.deployed);
    return { definitions: new LiveDefinitions(options, loaded), changes: loaded.changes };
  }

  private constructor({ database, deployed, onFailure }: LiveOptions, { current, generation, layouts }: Loaded) {
    this.database = database;
    this.store = new DefinitionStore(database.dialect);
    this.roleStore = new RoleStore(database.dialect);
    this.#onFailure = onFailure ?? (() => {});
    this.#deployed = deployed;
    this.#deployedLayouts = layouts;
    this.#current = current;
    this.#generation = generation;
  }

  get deployed(): DeployedDefinitions {
    return this.#deployed;
  }

  /**
   * The table layouts known when the definitions were read: for the deployment's types, when they were found or made to
   * match its files.
   */
  get layouts(): Layouts {
    return new Map([...this.#storedLayouts, ...this.#deployedLayouts]);
  }

  /** What is served, as of the last check. */
  get current(): ServedTypes {
    return this.#current;
  }

  get #stores(): Stores {
    return { definitions: this.store, roles: this.roleStore };
  }

  /** Rejects while the current definitions cannot be served and the previous ones still are. */
  async check(): Promise<void> {
    await this.look();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * The current content types, including everything that any process committed before the call. If they cannot be read or
   * are invalid, the previous ones. Never throws.
   */
  look(): MaybePromise<ContentTypes> {
    try {
      const refreshed = this.database.generations.refresh();
      if (!(refreshed instanceof Promise)) return this.#latest();
      return refreshed.then(
        () => this.#latest(),
        () => this.#current.types,
      );
    } catch {
      // Without a database there is nothing newer to serve; the handlers report the error.
      return this.#current.types;
    }
  }

  /**
   * The content types as another reader, such as a transaction, sees them. If they cannot be served, those of the last
   * check, so that the change can be undone.
   */
  async seenBy(executor: Executor): Promise<ServedTypes> {
    const [stored, roles] = [await this.store.all(executor), await this.roleStore.all(executor)];
    const isSame = Bun.deepEquals(stored, this.#current.stored) && Bun.deepEquals(roles, this.#current.roles);
    if (isSame) return this.#current;
    const served = servedDefinitions(stored, this.#deployed, this.#current.types);
    try {
      return { stored, served, roles, types: typesOf(this.#deployed, { served, roles }) };
    } catch (error) {
      if (!(error instanceof FatalError)) throw error;
      return { stored, served, roles, types: this.#current.types };
    }
  }

  /**
   * Loads new files of the deployment, as `open` does, and returns what changed in the database. Rejects with a
   * `FatalError` and changes nothing if they are invalid or do not fit.
   */
  async redeploy(deployed: DeployedDefinitions): Promise<SchemaReport> {
    const { current, generation, changes, layouts } = await load(this.database, deployed, this.#current.types);
    this.#deployed = deployed;
    this.#deployedLayouts = layouts;
    this.#storedLayouts = new Map();
    this.#accept(current, generation);
    return changes;
  }

  /** Records that definitions that were handed over and exist as files belong to the deployment. Called by a service that serves them. */
  async settle(): Promise<void> {
    const inFiles = namesInFiles(this.#deployed);
    const isSettled = ({ keeper, singular }: StoredDefinition): boolean =>
      keeper === 'handover' && inFiles.has(singular);
    if (!this.#current.stored.some(isSettled)) return;
    await this.database.transaction(async (transaction) => {
      const stored = await this.store.all(transaction);
      for (const { singular } of stored.filter(isSettled)) await this.store.settle(transaction, singular);
    });
  }

  /** Called when the parts for these types could not be built: the types are not served. */
  refuse(error: unknown): void {
    this.#failure = error;
    this.#onFailure(error);
  }

  #latest(): MaybePromise<ContentTypes> {
    const generation = this.database.generations.of(definitionsGeneration);
    if (generation === this.#generation) return this.#current.types;
    if (this.#renewal?.generation !== generation) {
      const before = this.#renewal?.done;
      const stored = layoutsOf(
        this.database,
        this.#current.types.all.filter((type) => type.stored),
      );
      this.#renewal = { generation, done: this.#renew(generation, stored, before) };
    }
    return this.#renewal.done;
  }

  /** `stored`: the layouts of the stored types at that generation. */
  async #renew(generation: number, stored: Layouts, before: Promise<ContentTypes> | undefined): Promise<ContentTypes> {
    await before;
    try {
      const found = await readFitting(this.database, this.#stores, this.#deployed, this.#current.types);
      const { unfit, ...current } = found;
      this.#accept(current, generation);
      if (unfit !== undefined) this.#onFailure(unfit);
      this.#storedLayouts = stored;
    } catch (error) {
      // An outage passes, so the next request tries again; invalid definitions stay so until they are changed.
      if (!(error instanceof Problem)) this.#generation = generation;
      this.refuse(error);
    }
    if (this.#renewal?.generation === generation) this.#renewal = undefined;
    return this.#current.types;
  }

  #accept(current: ServedTypes, generation: number): void {
    this.#current = current;
    this.#generation = generation;
    this.#failure = undefined;
  }
}

interface Stores {
  readonly definitions: DefinitionStore;
  readonly roles: RoleStore;
}

interface Loaded {
  readonly current: ServedTypes;
  readonly generation: number;
  readonly changes: SchemaReport;
  readonly layouts: Layouts;
}

/** Reads all definitions and migrates the database to them, in one transaction. */
async function load(database: Database, deployed: DeployedDefinitions, served?: ContentTypes): Promise<Loaded> {
  const store: Stores = {
    definitions: new DefinitionStore(database.dialect),
    roles: new RoleStore(database.dialect),
  };
  await database.generations.refresh();
  // Read first: a change in between is found by the next check.
  const generation = database.generations.of(definitionsGeneration);
  const current = await read(database, store, deployed, served);
  const fitting = (await isSynced(database, current.types))
    ? { current, changes: unchanged }
    : await database.transaction(async (transaction) => {
        const now = await read(transaction, store, deployed, served);
        return { current: now, changes: await syncWithin(transaction, database.dialect, now.types) };
      });
  // Another process that started at the same moment with the same files may have migrated the tables.
  await database.generations.refresh();
  return { ...fitting, generation, layouts: deployedLayouts(database, fitting.current.types) };
}

const deployedLayouts = (database: Database, { all }: ContentTypes): Layouts =>
  layoutsOf(
    database,
    all.filter(({ stored }) => !stored),
  );

/**
 * As `read`, without the stored roles that do not fit the types of this process, whose files may be older: nobody has their rights
 * here. To go on with their rights of before would be to give what may have been taken.
 */
async function readFitting(
  executor: Executor,
  stores: Stores,
  deployed: DeployedDefinitions,
  before: ContentTypes | undefined,
): Promise<ServedTypes & { readonly unfit?: DefinitionFaults }> {
  const [stored, roles] = [await stores.definitions.all(executor), await stores.roles.all(executor)];
  const served = servedDefinitions(stored, deployed, before);
  try {
    return { stored, served, roles, types: typesOf(deployed, { served, roles }) };
  } catch (error) {
    if (!(error instanceof DefinitionFaults)) throw error;
    const files = new Set(error.faults.map(({ file }) => file));
    const fitting = roles.filter(({ name }) => !files.has(storedRoleFile(name)));
    if (fitting.length === roles.length) throw error;
    return { stored, served, roles, types: typesOf(deployed, { served, roles: fitting }), unfit: error };
  }
}

async function read(
  executor: Executor,
  stores: Stores,
  deployed: DeployedDefinitions,
  before: ContentTypes | undefined,
): Promise<ServedTypes> {
  const [stored, roles] = [await stores.definitions.all(executor), await stores.roles.all(executor)];
  const served = servedDefinitions(stored, deployed, before);
  return { stored, served, roles, types: typesOf(deployed, { served, roles }) };
}

const unchanged: SchemaReport = { created: [], changed: [], reindexed: [] };
