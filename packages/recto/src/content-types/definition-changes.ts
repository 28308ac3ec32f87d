import { conflict, invalid } from '../base/problem.ts';
import type { Executor, Transaction, TransactionWork } from '../database/database.ts';
import { type CheckTraits, checkDefinitions } from '../definition/check-definitions.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import { targetOf } from '../definition/stored-field.ts';
import { innerFields } from '../definition/structure/structure-items.ts';
import { noteText, type SchemaNote } from '../migrations/plan/schema-note.ts';
import { noDrops, planSchema, type SchemaPlan } from '../migrations/plan/schema-plan.ts';
import { runPlan } from '../migrations/sync-schema.ts';
import { namesTag } from '../records/answers/answer.ts';
import type { JsonValue } from '../values/value-kind.ts';
import { changeEffects } from './change-effects.ts';
import { definitionLimits, sizeFaults } from './definition-limits.ts';
import {
  definitionProblem,
  handedOver,
  noSuchType,
  notOurs,
  notStorable,
  staleDefinition,
  stillReferred,
} from './definition-problems.ts';
import { roleSources } from './definition-set.ts';
import type { ChangeMoment } from './definition-store.ts';
import type { LiveDefinitions, ServedTypes } from './live-definitions.ts';
import { type StoredDefinition, singularOf, storedSource } from './stored-definition.ts';
import { entryTag, type TypeEntry, typeEntry } from './type-entry.ts';

/** A definition as it was sent. */
export type SentDefinition = Readonly<Record<string, unknown>>;

interface Creation {
  readonly action: 'create';
  readonly definition: SentDefinition;
}

interface Replacement {
  readonly action: 'replace';
  readonly singular: string;
  readonly definition: SentDefinition;
  /** The header; null: replace any revision. */
  readonly ifMatch: string | null;
}

export interface Removal extends Omit<Replacement, 'action' | 'definition'> {
  readonly action: 'delete';
}

export type Saving = Creation | Replacement;

/** The intended change of one type. */
export type DefinitionChange = Saving | Removal;

/** The effects of a change, made or only tried. */
export interface ChangeOutcome {
  readonly singular: string;
  /** Sentences for a person. */
  readonly effects: readonly string[];
}

/** The type that a new definition replaces; undefined for a new type. */
interface Replaced {
  readonly before: StoredDefinition | undefined;
  readonly old: ContentType | undefined;
}

/** A valid definition. */
interface JudgedSaving extends ChangeOutcome {
  readonly before: StoredDefinition | undefined;
  readonly after: ContentType;
  readonly plan: SchemaPlan;
}

/**
 * Changes to the content types that are created through the API. Each is validated in the transaction that makes it, against
 * the definitions there, so that concurrent changes of different types both hold and no invalid set is ever stored.
 */
export class DefinitionChanges {
  readonly #definitions: LiveDefinitions;

  constructor(definitions: LiveDefinitions) {
    this.#definitions = definitions;
  }

  /** Returns what the change would do, or throws the error it would cause. Changes nothing. */
  async preview(change: DefinitionChange): Promise<ChangeOutcome> {
    const { singular, effects } = await this.#definitions.database.snapshot((reader) => this.#judge(reader, change));
    return { singular, effects };
  }

  /** Prepares creating or replacing a type, for `commit`. */
  saving(change: Saving, moment: ChangeMoment): TransactionWork<TypeEntry> {
    return async (transaction) => this.#store(transaction, await this.#judgeSaving(transaction, change), moment);
  }

  /** Prepares deleting a type, for `commit`. Its records stay stored. */
  removal(change: Removal, moment: ChangeMoment): TransactionWork<void> {
    return async (transaction) => {
      const { singular } = await this.#judgeRemoval(transaction, change);
      await this.#definitions.store.remove(transaction, singular, moment);
    };
  }

  /** Commits a change. Once it resolves, this process serves the change; others do from their next request on. */
  async commit<T>(work: TransactionWork<T>): Promise<T> {
    const done = await this.#definitions.database.transaction(work);
    await this.#definitions.look();
    return done;
  }

  async #store(transaction: Transaction, judged: JudgedSaving, moment: ChangeMoment): Promise<TypeEntry> {
    const { store } = this.#definitions;
    const { before, after, plan } = judged;
    await runPlan(transaction, plan);
    // True because the definition was checked as plain JSON.
    const definition = after.definition as JsonValue;
    return typeEntry(after, await store.put(transaction, after.singular, definition, moment, before));
  }

  #judge(executor: Executor, change: DefinitionChange): Promise<ChangeOutcome> {
    return change.action === 'delete' ? this.#judgeRemoval(executor, change) : this.#judgeSaving(executor, change);
  }

  async #judgeRemoval(executor: Executor, { singular, ifMatch }: Removal): Promise<ChangeOutcome> {
    const current = await this.#definitions.seenBy(executor);
    this.#changeable(singular, ifMatch, current);
    const type = current.types.get(singular);
    const referring = current.types.all.filter((each) => each !== type && refersTo(each, type));
    if (referring.length > 0) throw stillReferred(type, referring);
    // If the stored definitions are already invalid, deleting one is a way to repair them.
    const broken = checkDefinitions(this.#others(current, singular), this.#traits(current)).faults;
    if (broken !== undefined && checkDefinitions(this.#others(current), this.#traits(current)).faults === undefined) {
      throw definitionProblem(broken, sentName);
    }
    return { singular, effects: changeEffects(type, undefined) };
  }

  async #judgeSaving(executor: Executor, change: Saving): Promise<JudgedSaving> {
    const current = await this.#definitions.seenBy(executor);
    const { before, old } = change.action === 'create' ? room(current) : this.#replaced(change, current);
    const sent = change.definition;
    const { after, types } = checked(
      sent,
      old?.singular ?? singularOf(sent) ?? '',
      this.#others(current, old?.singular),
      this.#traits(current),
    );
    const { dialect } = this.#definitions.database;
    const plan = await planSchema(executor, dialect, types, noDrops, new Set([after.singular]));
    const [rejected, migrations] = [obstacles(plan, 'refused'), obstacles(plan, 'apply')];
    if (rejected.length + migrations.length > 0) throw notStorable(rejected, migrations);
    return { singular: after.singular, before, after, plan, effects: changeEffects(old, after, plan.types[0]) };
  }

  #replaced({ singular, definition, ifMatch }: Replacement, current: ServedTypes): Replaced {
    const before = this.#changeable(singular, ifMatch, current);
    const named = singularOf(definition);
    if (named !== undefined && named !== singular) {
      const message = `The path names "${singular}". A type keeps its singular: its table and what relates to it go by it.`;
      throw invalid([{ field: 'singular', code: 'immutable', message }]);
    }
    return { before, old: current.types.get(singular) };
  }

  /** The stored definition of a type that may be changed. Throws when `ifMatch` is stale. */
  #changeable(singular: string, ifMatch: string | null, { stored, types }: ServedTypes): StoredDefinition {
    const type = types.find(singular);
    if (type === undefined) throw noSuchType(singular);
    const own = stored.find((each) => each.singular === singular);
    if (!type.stored || own === undefined) throw notOurs(type);
    if (own.keeper !== 'api') throw handedOver(singular);
    if (ifMatch !== null && !namesTag(ifMatch, entryTag(typeEntry(type, own)), 'strong')) throw staleDefinition();
    return own;
  }

  /** Definitions that are sent can name what those of the deployment can. Roles have to fit them. */
  #traits({ roles }: ServedTypes): CheckTraits {
    const { registry, languages } = this.#definitions.deployed;
    return {
      roles: roleSources(this.#definitions.deployed, roles),
      ...(registry === undefined ? {} : { registry }),
      ...(languages === undefined ? {} : { languages }),
    };
  }

  /** All definitions but one. */
  #others({ served }: ServedTypes, singular?: string): readonly DefinitionSource[] {
    const { builtIn, files } = this.#definitions.deployed;
    const stored = served.filter((each) => each.singular !== singular);
    return [...builtIn, ...files.sources, ...stored.map((each) => storedSource(each.singular, each.definition))];
  }

  /** One page of a type's revisions, newest first. */
  async revisions(singular: string, page: { readonly limit: number; readonly offset: number }) {
    const found = await this.#definitions.store.revisions(this.#definitions.database, singular, page);
    if (found.total > 0) return found;
    await this.entry(singular);
    return found;
  }

  /** The types of the last look. */
  get types(): ContentTypes {
    return this.#definitions.current.types;
  }

  /** All types as of now, by singular name. */
  async entries(): Promise<readonly TypeEntry[]> {
    // Throws when the database is gone, which a mere check ignores.
    await this.#definitions.database.generations.refresh();
    await this.#definitions.look();
    const { stored, types } = this.#definitions.current;
    const bySingular = new Map(stored.map((each) => [each.singular, each]));
    const all = types.all.toSorted((a, b) => (a.singular < b.singular ? -1 : 1));
    return all.map((type) => typeEntry(type, bySingular.get(type.singular)));
  }

  async entry(singular: string): Promise<TypeEntry> {
    const found = (await this.entries()).find((each) => each.singular === singular);
    if (found === undefined) throw noSuchType(singular);
    return found;
  }
}

/** Throws when no more types may be created. */
function room({ served }: ServedTypes): Replaced {
  if (served.length >= definitionLimits.types) {
    throw conflict('too_many_types', `At most ${definitionLimits.types} content types can be created through the API.`);
  }
  return { before: undefined, old: undefined };
}

/** The type that a definition describes, checked with all others. Throws all errors of the complete set. */
function checked(
  definition: SentDefinition,
  singular: string,
  others: readonly DefinitionSource[],
  traits: CheckTraits,
): { readonly after: ContentType; readonly types: ContentTypes } {
  const tooLarge = sizeFaults(definition);
  if (tooLarge.length > 0) throw invalid(tooLarge);
  if (Object.hasOwn(definition, 'extends')) {
    const message = 'Fields are added to a type that ships with the product in a file of the deployment.';
    throw invalid([{ field: 'extends', code: 'unknown_field', message }]);
  }
  const source = { file: sentName, definition, stored: true } as const;
  const { types, faults } = checkDefinitions([...others, source], traits);
  if (types === undefined) throw definitionProblem(faults, sentName);
  return { after: types.get(singular), types };
}

/** Without file positions: the definition is the request body. */
const obstacles = ({ notes }: SchemaPlan, way: SchemaNote['way']): readonly string[] =>
  notes.filter((note) => note.way === way).map(({ source: _, ...note }) => noteText(note));

/** No file has this name. */
const sentName = 'the definition sent';

const refersTo = ({ fields }: ContentType, { singular }: ContentType): boolean =>
  fields
    .flatMap((field) => [field, ...innerFields(field).map((inner) => inner.field)])
    .some((field) => targetOf(field) === singular);
