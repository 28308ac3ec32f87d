import { type AuthenticatedCaller, callerId, callerRole } from '../base/caller.ts';
import type { Executor } from '../database/database.ts';
import type { ContentType, Field } from '../definition/content-type.ts';
import { publishedStateOf } from '../definition/published-state.ts';
import { type AdminView, adminView, rightsOf } from '../definition/rights/read-view.ts';
import { editorRights } from '../definition/rights/role-rights.ts';
import { isLocalized } from '../definition/stored-field.ts';
import { withoutPrivate } from '../definition/structure/private-members.ts';
import { hidesPrivate } from '../definition/structure/structure-items.ts';
import { knownIds } from '../records/batch/several-records.ts';
import type { HeldValues } from '../records/drafts/held-changes.ts';
import type { Records } from '../records/records.ts';
import { inItemLanguage } from './item-language.ts';
import type { Failure, ReleaseItem, ReleaseProblem } from './release.ts';
import { ofRelease } from './release-problems.ts';

/** What somebody sees of releases: items of records that they may get, and of these the fields that they read. */
export class ReleaseSight {
  readonly #records: Records;
  readonly #caller: AuthenticatedCaller;
  readonly #view: AdminView;
  readonly #executor: Pick<Executor, 'rows'>;

  /** `executor`: where records are looked up; default: outside of any transaction. */
  constructor(records: Records, caller: AuthenticatedCaller, executor: Pick<Executor, 'rows'> = records.database) {
    this.#executor = executor;
    this.#records = records;
    this.#caller = caller;
    this.#view = adminView(rightsOf(caller, records.types.roles));
  }

  /** Whether the caller reads all records and fields. */
  get isAll(): boolean {
    return this.#view.rights.key === editorRights.key;
  }

  /** Those of the items that the caller sees. Of a record that is gone, only who reads all knows. */
  async visible(items: readonly ReleaseItem[]): Promise<readonly ReleaseItem[]> {
    if (this.isAll) return items;
    const known = new Set<string>();
    const placeOf = (id: string | null, { type, language }: ReleaseItem): string => `${type} ${id} ${language ?? ''}`;
    for (const of of Map.groupBy(items, (item) => placeOf(null, item)).values()) {
      const [first] = of;
      const spoken = first && inItemLanguage(this.#records, first, this.#caller);
      const ids = of.flatMap(({ record }) => record ?? []);
      if (first === undefined || spoken === undefined || ids.length === 0) continue;
      for (const id of await knownIds(this.#executor, spoken.records, spoken, ids)) known.add(placeOf(id, first));
    }
    return items.filter((item) => (item.record === null ? this.#seesNew(item) : known.has(placeOf(item.record, item))));
  }

  /** A record that is not there yet is seen by whom its rule cannot hide it from, and by who added it. */
  #seesNew({ type: singular, addedBy }: ReleaseItem): boolean {
    const type = this.#records.types.find(singular);
    if (type === undefined) return false;
    const right = this.#view.rights.of(type).rows.get;
    return right === 'all' || (right !== 'none' && addedBy === callerId(this.#caller));
  }

  /** What of the values of a record the caller reads. */
  values(singular: string, values: HeldValues): HeldValues {
    const type = this.#records.types.find(singular);
    if (type === undefined) return this.isAll ? values : {};
    const { readsPrivateMembers } = this.#view.rights;
    return Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => {
        const field = this.#readable(type, name);
        if (field === undefined) return [];
        return [[name, readsPrivateMembers || !hidesPrivate(field) ? value : withoutPrivate(field, value)]];
      }),
    );
  }

  /** Whether the caller reads and writes all of these values. */
  commands(item: Pick<ReleaseItem, 'type' | 'language'>, values: HeldValues): boolean {
    if (this.isAll) return true;
    const type = inItemLanguage(this.#records, item, this.#caller)?.type;
    if (type === undefined) return false;
    const rights = this.#view.rights.of(type);
    return Object.keys(values).every((name) => {
      const field = this.#readable(type, name);
      if (field === undefined || (hidesPrivate(field) && !this.#view.rights.readsPrivateMembers)) return false;
      // The state is decided by the right to publish.
      return !field.writable || rights.writes(field) || field.name === publishedStateOf(type.protocols)?.column;
    });
  }

  /** The tag of the language that an item is about; null where its records have one language. */
  languageOf({ type: singular, language }: ReleaseItem): string | null {
    const type = this.#records.types.find(singular);
    return language ?? (type !== undefined && isLocalized(type) ? this.#records.types.languages.default.tag : null);
  }

  /** Problems in words that say nothing of what the caller does not read. */
  problems(problems: readonly ReleaseProblem[]): readonly ReleaseProblem[] {
    return this.isAll ? problems : problems.map((problem) => this.#shown(problem));
  }

  #shown(problem: ReleaseProblem): ReleaseProblem {
    const type = problem.type === null ? undefined : this.#records.types.find(problem.type);
    const [name = ''] = /^[^.[]*/.exec(problem.field) ?? [];
    if (type === undefined || name === '') return problem;
    const field = this.#readable(type, name);
    const isInside = name !== problem.field;
    const isHidden = isInside && field !== undefined && hidesPrivate(field) && !this.#view.rights.readsPrivateMembers;
    return field === undefined || isHidden ? { ...problem, field: '', ...hiddenField } : problem;
  }

  /** What a scheduled release has failed of. To who does not read all, in the words of another role only what and where. */
  async failure({ problems, role }: Failure, items: readonly ReleaseItem[]): Promise<readonly ReleaseProblem[]> {
    if (this.isAll) return problems;
    const seen = new Set((await this.visible(items)).map(({ id }) => id));
    const shown = problems.filter(({ item }) => item === null || seen.has(item));
    const own = this.problems(shown);
    const worded =
      role === callerRole(this.#caller) ? own : own.map((problem) => ({ ...problem, message: otherWords }));
    return shown.length === problems.length ? worded : [...worded, hiddenProblem];
  }

  #readable(type: ContentType, name: string): Field | undefined {
    const field = type.field.get(name);
    return field !== undefined && this.#view.rights.of(type).reads(field) ? field : undefined;
  }
}

const hiddenField = { code: 'not_allowed', message: 'It holds changes that you cannot see.' } as const;
const otherWords = 'This could not be published. Check the release to see why.';

/** Stands for items that the caller does not see. */
export const hiddenProblem: ReleaseProblem = ofRelease(
  'hidden_items',
  'This release has records that you cannot see: somebody who sees them has to publish it.',
);
