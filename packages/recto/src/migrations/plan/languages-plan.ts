import { indexedColumn } from '../../database/natural-order.ts';
import { languagesTable, saidColumn, shownColumn, wordsColumn } from '../../definition/languages/languages-table.ts';
import {
  createIndex,
  createLanguages,
  type DormantLanguages,
  dropIndex,
  type LanguageColumn,
  type LanguagesIndex,
  type LanguagesStorage,
  type LocalizedStorage,
  languagesIndexes,
  movedColumn,
  saidSpecs,
} from '../storage/languages-storage.ts';
import type { RememberedType } from '../storage/stored-schema.ts';
import { counted } from './schema-note.ts';
import type { RenamedField, TypePlanning } from './type-planning.ts';

/**
 * Plans what becomes of the values of a type in other languages. They are kept where a field is no longer localized or a language is
 * no longer one of the service, and come back when it is again. Returns what is to be remembered of those that are not shown.
 */
export async function planLanguages(
  planner: TypePlanning,
  { storage, dormantLanguages }: RememberedType,
  wanted: LanguagesStorage | undefined,
  { renamed, reindexed }: { readonly renamed: readonly RenamedField[]; readonly reindexed: boolean },
): Promise<DormantLanguages | undefined> {
  if (storage.languages === undefined && dormantLanguages === undefined && wanted === undefined) return undefined;
  const { facts } = planner.around;
  const isThere = (await facts.columns(languagesTable({ table: planner.tableNow }))).size > 0;
  const isSaid = (await facts.columns(planner.tableNow)).has(saidColumn);
  const before = isThere
    ? { live: storage.languages, dormant: dormantLanguages, isSaid }
    : { live: undefined, dormant: undefined, isSaid };
  return new LanguagesPlanner(planner, before, wanted, { renamed, reindexed }).plan();
}

interface Before {
  readonly live: LanguagesStorage | undefined;
  readonly dormant: DormantLanguages | undefined;
  /** Whether the type's own table says in which languages records have values. */
  readonly isSaid: boolean;
}

/** Where the values of a field in other languages are stored. */
interface Stored extends LanguageColumn {
  readonly name: string;
  readonly isLive: boolean;
}

/** A wanted field, and what it is stored in. */
type Taken = readonly [wanted: LocalizedStorage, stored: Stored | undefined];

/** What no wanted field has taken, and whether it stays. */
type Left = readonly [stored: Stored, stays: boolean];

class LanguagesPlanner {
  readonly #planner: TypePlanning;
  readonly #before: Before;
  readonly #wanted: LanguagesStorage | undefined;
  readonly #renamed: readonly RenamedField[];
  /** Whether words are made in another way than before. */
  readonly #reindexed: boolean;
  /** The table before and after renames. */
  readonly #now: string;
  readonly #table: string;
  /** What is stored and has not been taken by a wanted field, by name. */
  readonly #stored: Map<string, Stored>;
  /** Columns that are made or get another name. */
  readonly #fresh = new Set<string>();
  readonly #dormant: Record<string, LanguageColumn> = {};

  constructor(
    planner: TypePlanning,
    before: Before,
    wanted: LanguagesStorage | undefined,
    { renamed, reindexed }: { readonly renamed: readonly RenamedField[]; readonly reindexed: boolean },
  ) {
    this.#reindexed = reindexed;
    this.#planner = planner;
    this.#before = before;
    this.#wanted = wanted;
    this.#renamed = renamed;
    this.#now = languagesTable({ table: planner.tableNow });
    this.#table = languagesTable(planner.type);
    const stored = new Map<string, Stored>();
    for (const [name, known] of Object.entries(before.dormant?.fields ?? {}))
      stored.set(name, { ...movedColumn(known, known.column), name, isLive: false });
    for (const [name, known] of Object.entries(before.live?.fields ?? {}))
      stored.set(name, { ...movedColumn(known, known.column), name, isLive: true });
    this.#stored = stored;
  }

  async plan(): Promise<DormantLanguages | undefined> {
    const { live, dormant } = this.#before;
    const main = live?.main ?? dormant?.main;
    if (main === undefined) return this.#create();
    if (!(await this.#keepsMain(main))) return dormant;
    const indexes = languagesIndexes(live);
    const wantedFields = Object.entries(this.#wanted?.fields ?? {});
    const taken: Taken[] = [];
    for (const [name, wanted] of wantedFields) taken.push([wanted, await this.#take(name, wanted)]);
    const left: Left[] = [];
    for (const stored of this.#stored.values()) left.push([stored, await this.#keeps(stored)]);
    const dormantAfter = Object.keys(this.#dormant).length > 0 ? { main, fields: this.#dormant } : undefined;
    if (this.#wanted === undefined) this.#dropSaid();
    if (this.#wanted === undefined && dormantAfter === undefined) {
      this.#planner.end({ change: 'drop_table', table: this.#rename(indexes) });
      return undefined;
    }
    this.#change(indexes, taken, left);
    this.#beginStates();
    await this.#noteLanguages();
    this.#say(taken.some(([, stored]) => stored?.isLive === false) || left.some(([stored]) => stored.isLive));
    this.#show();
    return dormantAfter;
  }

  #create(): undefined {
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    const { type } = this.#planner;
    for (const change of createLanguages(type.table, wanted)) this.#planner.make(change);
    // Nothing is said in other languages yet.
    this.#dropSaid();
    this.#addSaid();
    for (const name of Object.keys(wanted.fields)) this.#noteLocalized(name, wanted);
    this.#show();
  }

  #noteLocalized(name: string, { main }: LanguagesStorage): void {
    this.#planner.note('start', `field "${name}" is localized; its values become those in ${main}`);
  }

  /** The records hold the values in the default language, so that it cannot become another one. */
  async #keepsMain(main: string): Promise<boolean> {
    const { facts } = this.#planner.around;
    if (this.#wanted === undefined || this.#wanted.main === main) return true;
    if ((await facts.records(this.#planner.tableNow)) === 0) return true;
    this.#planner.refuse(
      `its records are in ${main}, and ${this.#wanted.main} is now the default language`,
      `let RECTO_LANGUAGES begin with ${main}`,
    );
    return false;
  }

  /** What a wanted field is stored in. */
  async #take(name: string, wanted: LocalizedStorage): Promise<Stored | undefined> {
    const { facts } = this.#planner.around;
    const formerName = this.#renamed.find(({ to }) => to === name)?.from;
    const former = formerName === undefined ? undefined : this.#stored.get(formerName);
    const own = this.#stored.get(name);
    const stored = former ?? own;
    if (stored === undefined) {
      // True because only a wanted field is taken.
      this.#noteLocalized(name, this.#wanted as LanguagesStorage);
      return undefined;
    }
    const filled = await facts.translated(this.#now, stored.column);
    if (former !== undefined && own !== undefined && (await facts.translated(this.#now, own.column)) > 0) {
      const what = `field "${name}" is renamed from "${formerName}", but both have values in other languages`;
      this.#planner.refuse(what, 'leave renamed_from out, or empty one of the two first');
    }
    if (describe(stored) !== describe(wanted)) {
      if (filled === 0 || this.#isGone(stored)) return undefined;
      const held = `its values in other languages, in ${counted(filled, 'record')}, are stored as ${describe(stored)}`;
      const what = `field "${name}" is defined as ${describe(wanted)} and localized, but ${held}`;
      this.#planner.refuse(what, 'give the new field another name, or empty those values first');
      return undefined;
    }
    if (wanted.unique === true) await this.#checkUnique(name, stored);
    this.#stored.delete(stored.name);
    if (!stored.isLive) {
      const back =
        filled === 0 ? '' : `; its values in other languages, in ${counted(filled, 'record')}, are shown again`;
      this.#planner.note('start', `field "${name}" is localized again${back}`);
    }
    return stored;
  }

  async #checkUnique(name: string, { column, name: formerName }: Stored): Promise<void> {
    if (this.#before.live?.fields[formerName]?.unique === true) return;
    const repeated = await this.#planner.around.facts.repeatedInLanguage(this.#now, column);
    if (repeated === 0) return;
    const stand = repeated === 1 ? 'stands' : 'stand';
    this.#planner.refuse(
      `field "${name}" is defined as unique, but ${counted(repeated, 'value')} of it ${stand} in more than one record in one language`,
      'make the values differ first, or leave "unique" out',
    );
  }

  /** Whether the type that a relation leads to is dropped, as was asked. */
  #isGone({ target }: Stored): boolean {
    return target !== undefined && this.#planner.around.removed.has(target);
  }

  /** Whether values that no wanted field has taken stay. */
  async #keeps(stored: Stored): Promise<boolean> {
    const { name, column, isLive } = stored;
    if (this.#isGone(stored)) return false;
    const { type, around } = this.#planner;
    const filled = await around.facts.translated(this.#now, column);
    if (filled === 0) return false;
    const values = `its values in other languages, in ${counted(filled, 'record')},`;
    if (around.drops(type.singular, name)) {
      this.#planner.note('apply', `field "${name}": ${values} are dropped too`);
      return false;
    }
    const later = this.#renamed.find(({ from }) => from === name)?.to ?? name;
    this.#dormant[later] = movedColumn(stored, later);
    const isDefined = type.field.has(later);
    if (isLive) {
      const why = type.languages === undefined && isDefined ? 'no longer localized' : 'not served in other languages';
      this.#planner.note(
        isDefined ? 'apply' : 'start',
        `field "${later}" is ${why}; ${values} are kept, but not shown`,
      );
    }
    return true;
  }

  /** Gives the table its name, without the indexes that go. Returns the name. */
  #rename(dropped: readonly LanguagesIndex[]): string {
    const [now, table] = [this.#now, this.#table];
    for (const index of dropped) this.#planner.rename(dropIndex(now, index));
    if (now !== table) this.#planner.rename({ change: 'rename_languages', table: now, to: table });
    return table;
  }

  #change(indexes: readonly LanguagesIndex[], taken: readonly Taken[], left: readonly Left[]): void {
    const table = this.#table;
    for (const [wanted, stored] of taken) {
      const isNew = stored?.column !== wanted.column || (stored.isLive === false && wanted.shown === true);
      if (isNew) this.#fresh.add(wanted.column);
    }
    const kept = indexes.filter((index) => this.#staysAsIndex(index));
    this.#rename(indexes.filter((index) => !kept.includes(index)));
    const keptShown = this.#dropShown();
    const keptWords = this.#dropWords();
    for (const one of left) this.#changeLeft(...one);
    for (const [{ column, kind }, stored] of taken) {
      if (stored === undefined) this.#addColumn(column, kind);
      else if (stored.column !== column)
        this.#planner.rename({ change: 'rename_column', table, column: stored.column, to: column });
    }
    for (const [{ column, kind, shown }] of taken)
      if (shown === true && !keptShown.includes(column)) this.#addColumn(shownColumn(column), kind);
    this.#addWords(keptWords);
    for (const index of languagesIndexes(this.#wanted)) {
      const isThere = kept.some((each) => Bun.deepEquals(each, index));
      if (!isThere) this.#planner.end(createIndex(table, index));
    }
  }

  /** Indexes are named after their table. */
  #staysAsIndex(index: LanguagesIndex): boolean {
    const { columns } = index;
    return (
      this.#now === this.#table &&
      languagesIndexes(this.#wanted).some((each) => Bun.deepEquals(each, index)) &&
      !columns.some((column) => this.#fresh.has(indexedColumn(column).column.replace(/\$shown$/, '')))
    );
  }

  /** Returns the fields' columns for which the one of what is shown stays. */
  #dropShown(): readonly string[] {
    const shown = shownIn(this.#wanted);
    const before = shownIn(this.#before.live);
    const kept = before.filter((column) => shown.includes(column) && !this.#fresh.has(column));
    for (const column of before) {
      if (kept.includes(column)) continue;
      this.#planner.rename({ change: 'drop_column', table: this.#table, column: shownColumn(column) });
    }
    return kept;
  }

  /** Words are made where there are none, or where they are made in another way than before. */
  #addWords(kept: readonly string[]): void {
    const added = wordsIn(this.#wanted).filter((column) => !kept.includes(column));
    for (const column of added) this.#addColumn(wordsColumn(column), 'text');
    if (added.length > 0 || (this.#reindexed && kept.length > 0))
      this.#planner.move({ move: 'words', type: this.#planner.type });
  }

  /** Returns the fields' columns for which the one of words stays. */
  #dropWords(): readonly string[] {
    const [wanted, before] = [wordsIn(this.#wanted), wordsIn(this.#before.live)];
    const kept = before.filter((column) => wanted.includes(column) && !this.#fresh.has(column));
    for (const column of before) {
      if (kept.includes(column)) continue;
      this.#planner.rename({ change: 'drop_column', table: this.#table, column: wordsColumn(column) });
    }
    return kept;
  }

  #changeLeft({ name, column }: Stored, stays: boolean): void {
    const table = this.#table;
    const later = this.#dormant[this.#renamed.find(({ from }) => from === name)?.to ?? name]?.column;
    if (!stays) this.#planner.rename({ change: 'drop_column', table, column });
    else if (later !== undefined && later !== column)
      this.#planner.rename({ change: 'rename_column', table, column, to: later });
  }

  #addColumn(name: string, kind: LanguageColumn['kind']): void {
    this.#planner.make({ change: 'add_column', table: this.#table, column: { name, kind, references: null } });
  }

  async #noteLanguages(): Promise<void> {
    const [before, after] = [this.#before.live?.others, this.#wanted?.others];
    if (before === undefined || after === undefined) return;
    for (const tag of Object.keys(before)) {
      if (Object.hasOwn(after, tag)) continue;
      const filled = await this.#planner.around.facts.translatedInto(this.#now, tag);
      if (filled === 0) this.#planner.note('start', `${tag} is no longer one of its languages; nothing is in it`);
      else {
        const kept = `its values in ${counted(filled, 'record')} are kept, but not shown`;
        this.#planner.note('apply', `${tag} is no longer one of its languages; ${kept}`);
      }
    }
    for (const [tag, fallbacks] of Object.entries(after)) {
      const chain = fallbacks.length === 0 ? 'no other' : fallbacks.join(', ');
      if (before[tag] === undefined) this.#planner.note('start', `${tag} becomes one of its languages`);
      else if (!Bun.deepEquals(before[tag], fallbacks))
        this.#planner.note('start', `${tag} falls back to ${chain} from now on`);
    }
  }

  /** Where languages get states of their own, each translation is in that which the record is in. */
  #beginStates(): void {
    const published = this.#wanted?.published;
    if (published === undefined || !this.#fresh.has(published.column)) return;
    this.#planner.move({ move: 'states', type: this.#planner.type, column: published.column });
  }

  #addSaid(): void {
    const { table } = this.#planner.type;
    for (const column of saidSpecs(this.#wanted)) this.#planner.make({ change: 'add_column', table, column });
  }

  /** It is made anew of what is kept, if a field is localized again. */
  #dropSaid(): void {
    const { table } = this.#planner.type;
    if (this.#before.isSaid) this.#planner.rename({ change: 'drop_column', table, column: saidColumn });
  }

  /** In which languages records have values is found anew where the languages, or the fields that count, are others than before. */
  #say(isOther: boolean): void {
    const { live, isSaid } = this.#before;
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    // What new records begin with is part of the column.
    const isThere = isSaid && live?.said === true && live.main === wanted.main;
    if (!isThere) {
      this.#dropSaid();
      this.#addSaid();
    }
    const tags = (storage: LanguagesStorage | undefined) => Object.keys(storage?.others ?? {});
    if (isThere && !isOther && this.#fresh.size === 0 && Bun.deepEquals(tags(live), tags(wanted))) return;
    this.#planner.move({ move: 'say', type: this.#planner.type });
  }

  /** What languages show is made anew where their fallbacks or the columns for it are others than before. */
  #show(): void {
    const { type } = this.#planner;
    const shown = shownIn(this.#wanted);
    if (shown.length === 0) return;
    const { live } = this.#before;
    const sameColumns =
      Bun.deepEquals(live?.published, this.#wanted?.published) &&
      Bun.deepEquals(shownIn(live), shown) &&
      !shown.some((column) => this.#fresh.has(column));
    for (const language of type.languages?.others ?? []) {
      const chain = this.#wanted?.others[language.tag];
      if (sameColumns && Bun.deepEquals(live?.others[language.tag], chain)) continue;
      this.#planner.move({ move: 'show', type, language });
    }
  }
}

/** For messages: `text`, `relation to "author"`. */
function describe({ kind, target, files }: LanguageColumn): string {
  if (target !== undefined) return `relation to "${target}"`;
  return files === true ? 'files' : kind;
}

const wordsIn = (storage: LanguagesStorage | undefined): readonly string[] =>
  Object.values(storage?.fields ?? {}).flatMap(({ column, words }) => (words === true ? [column] : []));

const shownIn = (storage: LanguagesStorage | undefined): readonly string[] =>
  Object.values(storage?.fields ?? {}).flatMap(({ column, shown }) => (shown === true ? [column] : []));
