import { isDeepStrictEqual } from 'node:util';
import type { SqlValue } from '../../base/bindings.ts';
import type { Query, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { Field } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { isLocalized, isTranslated } from '../../definition/stored-field.ts';
import type { RecordChanges } from '../checks/payload.ts';
import type { Translations } from '../statements/language-statements.ts';
import { decodeRow, type RecordStatements } from '../statements/record-statements.ts';
import type { RecordUpdate } from './record-writes.ts';

/** What follows from an update of a record in other languages than the default. */
export interface LanguageChanges {
  readonly statements: readonly Query[];
  /** What the record said in them, and what it says now; undefined where nothing needs to know. */
  readonly translations: { readonly before: Translations; readonly after: Translations } | undefined;
}

/** What updates of records change in other languages than the default. */
export class LanguagesOfUpdate {
  readonly #statements: RecordStatements;
  readonly #dialect: Dialect;

  constructor(statements: RecordStatements, dialect: Dialect) {
    this.#statements = statements;
    this.#dialect = dialect;
  }

  /** An update of a record as a language shows it, as one of the stored record. */
  async stored(transaction: Transaction, update: RecordUpdate): Promise<RecordUpdate> {
    const { type, current, changes } = update;
    if (type.shownIn === undefined) return update;
    const { base, read } = type.shownIn;
    const id = String(current.id);
    const row = await transaction.first<Record<string, SqlValue>>(this.#statements.row(base, id));
    if (row === undefined) throw new Error(`The ${type.singular} ${id} that is being written is not there.`);
    const shared = [...changes.values].filter(([field]) => field.localized !== true);
    const own = [...changes.values].flatMap(([{ name, localized }, value]) => {
      const field = localized === true ? base.field.get(name) : undefined;
      return field === undefined ? [] : [[field, value] as const];
    });
    return {
      ...update,
      type: base,
      current: decodeRow(base, row, this.#dialect),
      changes: { values: new Map(shared), related: changes.related },
      ...(own.length === 0 ? {} : { translated: new Map([[read.language.tag, new Map(own)]]) }),
    };
  }

  /** Reads what the record says in other languages, and returns what the update makes of it. */
  async changes(transaction: Transaction, update: RecordUpdate): Promise<LanguageChanges> {
    const before = await this.#translations(transaction, update);
    const translated = before && differingTranslations(before, update.translated);
    const changed = { ...update, ...(translated === undefined ? {} : { translated }) };
    return {
      statements: isLocalized(update.type) ? this.#translating(changed) : [],
      translations: before && changedTranslations(before, translated),
    };
  }

  /** What a record says in other languages, where a change of it makes a version or is one of these. */
  async #translations(
    transaction: Transaction,
    { type, current, translated, authorship }: RecordUpdate,
  ): Promise<Translations | undefined> {
    const isVersioned = authorship !== null && type.facts.revisions !== undefined;
    if (!isLocalized(type) || (translated === undefined && !isVersioned)) return undefined;
    const { languages } = this.#statements;
    const rows = await transaction.rows<Record<string, SqlValue>>(languages.all(type, String(current.id)));
    return languages.decode(type, rows);
  }

  /** What writes other languages than the default, and what follows in them from the change. */
  #translating({ type, current, changes, translated, authorship }: RecordUpdate): readonly Query[] {
    const { languages } = this.#statements;
    const id = String(current.id);
    const now = authorship?.now ?? new Date().toISOString();
    const inDefault = differingFields(current, changes);
    const inOthers = [...(translated?.values() ?? [])].flatMap((values) => [...values.keys()]);
    const isNoted = inOthers.some(isTranslated);
    return [
      ...[...(translated ?? [])].flatMap(([tag, values]) => [
        languages.set(type, id, tag, values, now),
        ...([...values.values()].some((value) => value === null) ? [languages.forget(type, id, tag)] : []),
      ]),
      ...(isNoted ? [languages.note(type, id)] : []),
      ...languages.follow(type, id, inDefault, inOthers),
    ];
  }
}

/** The fields of a type's own columns that a change gives other values. */
const differingFields = (current: StoredRecord, { values }: RecordChanges): readonly Field[] =>
  [...values].flatMap(([field, value]) => (isDeepStrictEqual(current[field.name] ?? null, value) ? [] : [field]));

/** The values that are not what the record says in those languages already. */
function differingTranslations(before: Translations, translated: Translations = new Map()): Translations {
  const differing = [...translated].flatMap(([tag, values]) => {
    const old = before.get(tag);
    const own = [...values].filter(
      ([field, value]) => !isDeepStrictEqual(held(field, old?.get(field)), held(field, value)),
    );
    return own.length === 0 ? [] : [[tag, new Map(own)] as const];
  });
  return new Map(differing);
}

/** A value in a language. What a protocol keeps for each language is its default until somebody writes it. */
const held = (field: Field, value: FieldValue | null | undefined) =>
  value ?? (isTranslated(field) ? null : (field.default ?? null));

/** What a record said in other languages, and what it says now. */
function changedTranslations(before: Translations, translated: Translations = new Map()) {
  const after = new Map(before);
  for (const [tag, values] of translated) after.set(tag, new Map([...(before.get(tag) ?? []), ...values]));
  return { before, after };
}
