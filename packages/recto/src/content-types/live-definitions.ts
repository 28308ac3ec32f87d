import type { MaybePromise } from '../base/maybe-promise.ts';
import { Problem } from '../base/problem.ts';
import { StartRefused } from '../base/start-refused.ts';
import type { Database, Executor } from '../database/database.ts';
import { isSynced, type SchemaReport, syncWithin } from '../database/schema/sync-schema.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { type Layouts, layoutsOf } from '../records/schema-version-guard.ts';
import { type DeployedDefinitions, namesInFiles, servedDefinitions, typesOf } from './definition-set.ts';
import { DefinitionStore } from './definition-store.ts';
import { definitionsGeneration, type StoredDefinition } from './stored-definition.ts';

export interface LiveOptions {
  readonly database: Database;
  readonly deployed: DeployedDefinitions;
  /** Told why definitions that another process changed cannot be served. */
  readonly onFailure?: (error: unknown) => void;
}

/** The content types that are served, and what of them is stored. */
export interface ServedTypes {
  readonly types: ContentTypes;
  /** All that is stored, by singular name. */
  readonly stored: readonly StoredDefinition[];
  /** Those among them that are served. */
  readonly served: readonly StoredDefinition[];
}

/** Being read anew, for the generation that asked for it. */
interface Renewal {
  readonly generation: number;
  readonly done: Promise<ContentTypes>;
}

/**
 * The content types of the moment: those of the deployment, and those made through the API, whichever process made them.
 * A look costs what a look at the generations costs.
 */
export class LiveDefinitions {
  readonly database: Database;
  readonly store: DefinitionStore;
  readonly #onFailure: (error: unknown) => void;
  #deployed: DeployedDefinitions;
  #deployedLayouts: Layouts;
  /** Of the stored ones, as they were before these were last read. */
  #storedLayouts: Layouts = new Map();
  #current: ServedTypes;
  #generation: number;
  #renewal: Renewal | undefined;
  #failure: unknown;

  /** Brings the database up to the definitions. Rejects with a `StartRefused` where that cannot be. */
  static async open(options: LiveOptions): Promise<{ definitions: LiveDefinitions; changes: SchemaReport }> {
    const loaded = await load(options.database, options.deployed);
    return { definitions: new LiveDefinitions(options, loaded), changes: loaded.changes };
  }

  private constructor({ database, deployed, onFailure }: LiveOptions, { current, generation, layouts }: Loaded) {
    this.database = database;
    this.store = new DefinitionStore(database.dialect);
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
   * What tables were for sure when the definitions of their types were read: those of the deployment's types when they were
   * found, or made, to fit its files.
   */
  get layouts(): Layouts {
    return new Map([...this.#storedLayouts, ...this.#deployedLayouts]);
  }

  /** What is served, as of the last look. */
  get current(): ServedTypes {
    return this.#current;
  }

  /** Rejects while what should be served cannot be, and what was served before is. */
  async check(): Promise<void> {
    await this.look();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * The content types as of now: what any process has committed before the call is in them. Where they cannot be read or
   * are wrong, those before; never throws.
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
      // Without a database there is nothing newer to serve; the handlers say what is wrong.
      return this.#current.types;
    }
  }

  /**
   * What is served as another reader sees it, such as a transaction. Where that cannot be served, the types are those of
   * the last look, so that it can be changed back.
   */
  async seenBy(executor: Executor): Promise<ServedTypes> {
    const stored = await this.store.all(executor);
    if (Bun.deepEquals(stored, this.#current.stored)) return this.#current;
    const served = servedDefinitions(stored, this.#deployed, this.#current.types);
    try {
      return { stored, served, types: typesOf(this.#deployed, served) };
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      return { stored, served, types: this.#current.types };
    }
  }

  /**
   * Takes on other files of the deployment, as `open` does, and tells what changed in the database. Rejects with a
   * `StartRefused` where they are wrong or do not fit; nothing changes then.
   */
  async redeploy(deployed: DeployedDefinitions): Promise<SchemaReport> {
    const { current, generation, changes, layouts } = await load(this.database, deployed, this.#current.types);
    this.#deployed = deployed;
    this.#deployedLayouts = layouts;
    this.#storedLayouts = new Map();
    this.#accept(current, generation);
    return changes;
  }

  /** Notes that what was handed over and is there as a file is the deployment's from now on. To be called by a service that serves it. */
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

  /** What could not be made of these types: they are not served. */
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

  /** `stored`: the layouts of the stored types, as of that generation. */
  async #renew(generation: number, stored: Layouts, before: Promise<ContentTypes> | undefined): Promise<ContentTypes> {
    await before;
    try {
      this.#accept(await read(this.database, this.store, this.#deployed, this.#current.types), generation);
      this.#storedLayouts = stored;
    } catch (error) {
      // An outage passes, and is looked at again by the next request; wrong definitions stay so until they are changed.
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

interface Loaded {
  readonly current: ServedTypes;
  readonly generation: number;
  readonly changes: SchemaReport;
  readonly layouts: Layouts;
}

/** Reads all definitions, and brings the database up to them as they are within the transaction that does so. */
async function load(database: Database, deployed: DeployedDefinitions, served?: ContentTypes): Promise<Loaded> {
  const store = new DefinitionStore(database.dialect);
  await database.generations.refresh();
  // Before the reading: a change in between is looked for once more at the next look.
  const generation = database.generations.of(definitionsGeneration);
  const current = await read(database, store, deployed, served);
  const fitting = (await isSynced(database, current.types))
    ? { current, changes: unchanged }
    : await database.transaction(async (transaction) => {
        const now = await read(transaction, store, deployed, served);
        return { current: now, changes: await syncWithin(transaction, database.dialect, now.types) };
      });
  // Whoever starts at the same moment with the same files may have made the tables fit.
  await database.generations.refresh();
  return { ...fitting, generation, layouts: deployedLayouts(database, fitting.current.types) };
}

const deployedLayouts = (database: Database, { all }: ContentTypes): Layouts =>
  layoutsOf(
    database,
    all.filter(({ stored }) => !stored),
  );

async function read(
  executor: Executor,
  store: DefinitionStore,
  deployed: DeployedDefinitions,
  before: ContentTypes | undefined,
): Promise<ServedTypes> {
  const stored = await store.all(executor);
  const served = servedDefinitions(stored, deployed, before);
  return { stored, served, types: typesOf(deployed, served) };
}

const unchanged: SchemaReport = { created: [], changed: [], reindexed: [] };
