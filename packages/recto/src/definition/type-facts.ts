import type { Field } from './field-type.ts';
import type { ActiveProtocol, RevisionRetention, TreeColumns } from './protocol.ts';
import { isSearchable } from './searched-field.ts';
import { isColumn, isInverse, isLinked, isStoredRelation, isTranslated, isValue } from './stored-field.ts';
import { hasLinks } from './structure/inner-links.ts';

/** The parts of a content type that facts follow from. */
interface FactSources {
  readonly fields: readonly Field[];
  readonly protocols: readonly ActiveProtocol[];
  readonly uniqueSets?: readonly unknown[];
}

/** What follows from a compiled content type and is the same for every request. Each fact is computed when it is first read. */
export class TypeFacts {
  readonly #of: FactSources;
  #columns: readonly Field[] | undefined;
  #columnNames: readonly string[] | undefined;
  #links: readonly Field[] | undefined;
  #storedRelations: readonly Field[] | undefined;
  #linking: readonly Field[] | undefined;
  #searched: readonly Field[] | undefined;
  #versioned: readonly Field[] | undefined;
  #localized: readonly Field[] | undefined;
  #byLanguage: readonly Field[] | undefined;
  #generatedSlugs: readonly Field[] | undefined;
  #privateNames: ReadonlySet<string> | undefined;
  #reservedSlugs: ReadonlySet<string> | undefined;
  #bookkeeping: ReadonlySet<string> | undefined;
  #organizing: ReadonlySet<string> | undefined;
  /** Null: there is none. */
  #assignee: Field | null | undefined;
  #hasUniqueFields: boolean | undefined;
  #checkingProtocols: readonly ActiveProtocol[] | undefined;
  #placingProtocols: readonly ActiveProtocol[] | undefined;
  /** Null: there is none. */
  #tree: TreeColumns | null | undefined;
  #revisions: RevisionRetention | null | undefined;

  constructor(type: FactSources) {
    this.#of = type;
  }

  /** The fields that are columns of the type's own table. */
  get columns(): readonly Field[] {
    this.#columns ??= this.#of.fields.filter(isColumn);
    return this.#columns;
  }

  get columnNames(): readonly string[] {
    this.#columnNames ??= this.columns.map(({ name }) => name);
    return this.#columnNames;
  }

  /** The relations to many that the type's own records keep. */
  get links(): readonly Field[] {
    this.#links ??= this.#of.fields.filter(isLinked);
    return this.#links;
  }

  /** The relations that the type's own table or junction tables store. */
  get storedRelations(): readonly Field[] {
    this.#storedRelations ??= this.#of.fields.filter(isStoredRelation);
    return this.#storedRelations;
  }

  /** The structured fields that have relations inside. */
  get linking(): readonly Field[] {
    this.#linking ??= this.#of.fields.filter(hasLinks);
    return this.#linking;
  }

  /** The fields whose words are in the search index; a type without any has no index. */
  get searched(): readonly Field[] {
    this.#searched ??= this.#of.fields.filter(isSearched);
    return this.#searched;
  }

  /** The fields that versions hold. */
  get versioned(): readonly Field[] {
    this.#versioned ??= this.#of.fields.filter(isVersioned);
    return this.#versioned;
  }

  /** The declared fields of which each language has a value of its own. */
  get localized(): readonly Field[] {
    this.#localized ??= this.#of.fields.filter(isTranslated);
    return this.#localized;
  }

  /** These, and the columns of protocols of which each language has one. */
  get byLanguage(): readonly Field[] {
    this.#byLanguage ??= this.#of.fields.filter((field) => field.localized);
    return this.#byLanguage;
  }

  /** The fields that get a slug of another field's value where a new record has none. */
  get generatedSlugs(): readonly Field[] {
    this.#generatedSlugs ??= this.#of.fields.filter(({ options }) => options.target_field !== undefined);
    return this.#generatedSlugs;
  }

  /** The names of the private fields. */
  get privateNames(): ReadonlySet<string> {
    this.#privateNames ??= new Set(this.#of.fields.filter((field) => field.private).map(({ name }) => name));
    return this.#privateNames;
  }

  /** Slugs that no record may have, because a route has them. */
  get reservedSlugs(): ReadonlySet<string> {
    this.#reservedSlugs ??= new Set(this.#of.protocols.flatMap(({ protocol }) => protocol.reservedSlugs ?? []));
    return this.#reservedSlugs;
  }

  /** The columns that every write sets. */
  get bookkeeping(): ReadonlySet<string> {
    this.#bookkeeping ??= new Set(this.#of.protocols.flatMap(({ protocol }) => protocol.bookkeeping ?? []));
    return this.#bookkeeping;
  }

  /** The columns that organize the work on a record: who does it and when, and times at which something happens by itself. */
  get organizing(): ReadonlySet<string> {
    this.#organizing ??= new Set(
      this.#of.protocols.flatMap(({ protocol, options }) => [
        ...(protocol.organizing ?? []),
        ...[protocol.scheduled?.(options)?.at].filter((at) => at !== undefined),
      ]),
    );
    return this.#organizing;
  }

  /** The field with the account that a record is assigned to; undefined: records are not assigned. */
  get assignee(): Field | undefined {
    if (this.#assignee === undefined) {
      const name = this.#first(({ protocol }) => protocol.assignee);
      this.#assignee = this.#of.fields.find((field) => field.name === name) ?? null;
    }
    return this.#assignee ?? undefined;
  }

  /** Whether a unique index can reject a new record. Its id is new, too. */
  get hasUniqueFields(): boolean {
    const { fields, uniqueSets } = this.#of;
    this.#hasUniqueFields ??=
      uniqueSets !== undefined || fields.some((field) => field.name !== 'id' && isUnique(field));
    return this.#hasUniqueFields;
  }

  /** The protocols that check values against stored records. */
  get checkingProtocols(): readonly ActiveProtocol[] {
    this.#checkingProtocols ??= this.#of.protocols.filter(({ protocol }) => protocol.storedFaults !== undefined);
    return this.#checkingProtocols;
  }

  /** The protocols that give a new record values by what is stored. */
  get placingProtocols(): readonly ActiveProtocol[] {
    this.#placingProtocols ??= this.#of.protocols.filter(({ protocol }) => protocol.placeNew !== undefined);
    return this.#placingProtocols;
  }

  /** The columns of the tree; undefined: records do not stand below one another. */
  get tree(): TreeColumns | undefined {
    if (this.#tree === undefined) this.#tree = this.#first(({ protocol, options }) => protocol.tree?.(options)) ?? null;
    return this.#tree ?? undefined;
  }

  /** Which revisions are kept; undefined: none. */
  get revisions(): RevisionRetention | undefined {
    if (this.#revisions === undefined)
      this.#revisions = this.#first(({ protocol, options }) => protocol.revisions?.(options)) ?? null;
    return this.#revisions ?? undefined;
  }

  #first<T>(find: (active: ActiveProtocol) => T | undefined): T | undefined {
    for (const active of this.#of.protocols) {
      const found = find(active);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Whether a field's words are in the search index. Those of private fields are not: nothing that is found can betray them. */
export const isSearched = (field: Field): boolean => isValue(field) && isSearchable(field);

/** Whether versions hold the field. A password's hash is in none: what is never shown must not be restored either. */
export const isVersioned = (field: Field): boolean =>
  !isInverse(field) && !field.type.secret && field.type.unversioned !== true;

export const isUnique = (field: Field): boolean => field.unique || field.type.alwaysUnique;
