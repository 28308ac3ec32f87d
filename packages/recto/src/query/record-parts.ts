import { badRequest, type Problem } from '../base/problem.ts';
import type { ContentType, ContentTypes, Field } from '../definition/content-type.ts';
import type { Part, Structure } from '../definition/field-type.ts';
import { type IncludableField, includableFields } from '../definition/includable-fields.ts';
import { readableFields, readsPrivate } from '../definition/readable-fields.ts';
import { includedView, type ReadView } from '../definition/rights/read-view.ts';
import { isColumn, targetOf } from '../definition/stored-field.ts';
import { shownName } from './query-text.ts';
import { readableField } from './read-view.ts';

/** A relation to populate, and what to populate within it. */
export interface RecordBranch {
  /** The member of the answer that has the records. */
  readonly name: string;
  readonly field: Field;
  readonly target: ContentType;
  readonly include: IncludeTree;
}

/** A structured field, with what to populate of the fields inside it. */
export interface InsideBranch {
  readonly name: string;
  readonly field: Field;
  readonly target: null;
  readonly include: IncludeTree;
}

export type IncludeBranch = RecordBranch | InsideBranch;

/** In the order of the names. */
export type IncludeTree = readonly IncludeBranch[];

export const deepestInclude = 3;
export const mostIncludes = 20;

/** Names in a path: relations, and the structured fields that they are inside of. */
const mostNames = 20;

interface GrowingBranch {
  readonly name: string;
  readonly field: Field;
  readonly target: ContentType | null;
  readonly children: GrowingLevel;
}

type GrowingLevel = Map<Field, GrowingBranch>;

/** Reads `include=author,author.team,body.author`: relations that this view shows, to three levels. */
export function readInclude(text: string, type: ContentType, view: ReadView, types: ContentTypes): IncludeTree {
  const root: GrowingLevel = new Map();
  const paths = text.split(',');
  if (paths.length > mostIncludes)
    throw badRequest('invalid_parameter', `"include" takes at most ${mostIncludes} relations.`);
  for (const path of paths) {
    const names = path.trim().split('.');
    const reader = new PathReader(path, types);
    if (names.length > mostNames) throw reader.tooDeep();
    merge(root, reader.branch(type, view, names, 1));
  }
  return freeze(root);
}

class PathReader {
  readonly #path: string;
  readonly #types: ContentTypes;

  constructor(path: string, types: ContentTypes) {
    this.#path = path;
    this.#types = types;
  }

  /** The branch that the names lead to from a record. */
  branch(owner: ContentType, view: ReadView, [name = '', ...rest]: readonly string[], level: number): GrowingBranch {
    const found = includableFields(owner, view).find((one) => one.name === name);
    if (found !== undefined) return this.#records(found, view, rest, level);
    const field = readableField(owner, view, name);
    const grown = field?.structure === undefined ? undefined : this.#inside(field, field.structure, view, rest, level);
    if (grown !== undefined) return grown;
    const shown = field?.structure === undefined ? name : [name, ...rest].join('.');
    throw badRequest(
      'invalid_parameter',
      `"include" names "${shownName(shown)}", which is no relation of ${owner.singular}.`,
    );
  }

  tooDeep(): Problem {
    const shown = shownName(this.#path);
    return badRequest('invalid_parameter', `"include" goes ${deepestInclude} levels deep; "${shown}" is deeper.`);
  }

  #records(found: IncludableField, view: ReadView, names: readonly string[], level: number): GrowingBranch {
    if (level > deepestInclude) throw this.tooDeep();
    const target = this.#types.get(found.target);
    const children: GrowingLevel = new Map();
    if (names.length > 0) merge(children, this.branch(target, includedView(view), names, level + 1));
    return { name: found.name, field: found.field, target, children };
  }

  /** Undefined where no relation inside is what the names lead to. */
  #inside(
    field: Field,
    { parts }: Structure,
    view: ReadView,
    names: readonly string[],
    level: number,
  ): GrowingBranch | undefined {
    const children: GrowingLevel = new Map();
    for (const part of parts) {
      for (const each of this.#inPart(part, view, names, level)) merge(children, each);
    }
    return children.size === 0 ? undefined : { name: field.name, field, target: null, children };
  }

  /** An item that is a value itself has no name. */
  #inPart({ item, field }: Part, view: ReadView, names: readonly string[], level: number): readonly GrowingBranch[] {
    const [name, ...rest] = item === null ? names : ['', ...names];
    const inner = item ?? (name === undefined ? undefined : field.get(name));
    if (inner === undefined || (inner.private && !readsPrivate(view))) return [];
    const { structure } = inner;
    if (structure !== undefined) {
      const grown = this.#inside(inner, structure, view, rest, level);
      return grown === undefined ? [] : [grown];
    }
    const target = targetOf(inner);
    return target === undefined ? [] : [this.#records({ name: inner.name, field: inner, target }, view, rest, level)];
  }
}

function merge(level: GrowingLevel, branch: GrowingBranch): void {
  const known = level.get(branch.field);
  if (known === undefined) level.set(branch.field, branch);
  else for (const child of branch.children.values()) merge(known.children, child);
}

function freeze(level: GrowingLevel): IncludeTree {
  return [...level.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, field, target, children }) =>
      target === null
        ? { name, field, target, include: freeze(children) }
        : { name, field, target, include: freeze(children) },
    );
}

/** The tree as one text, equal for equal trees: `author(team),topics`. */
export function includeKey(tree: IncludeTree): string {
  return tree.map(({ name, include }) => (include.length === 0 ? name : `${name}(${includeKey(include)})`)).join(',');
}

/** The fields that a request wants of each record, in the order of the type; null: all that the view shows. */
export type FieldSelection = readonly Field[] | null;

/** Reads `fields=title,slug`: fields that this view shows, in any order. `id` is always among them. */
export function readFieldSelection(text: string, type: ContentType, view: ReadView): FieldSelection {
  const readable = readableFields(type, view);
  const known = new Set(readable.map(({ name }) => name));
  const names = new Set(text.split(',').map((name) => name.trim()));
  for (const name of names) {
    if (known.has(name)) continue;
    throw badRequest(
      'invalid_parameter',
      `"fields" names "${shownName(name)}", which is no field of ${type.singular}.`,
    );
  }
  return readable.filter(({ name }) => name === 'id' || names.has(name));
}

/** The fields that a record is shown with: those of the selection, and those that `include` populates. */
export function shownFields(
  type: ContentType,
  view: ReadView,
  selection: FieldSelection,
  include: IncludeTree,
): readonly Field[] {
  const readable = readableFields(type, view);
  if (selection === null) return readable;
  const shown = new Set([...selection, ...include.map(({ field }) => field)]);
  return readable.filter((field) => shown.has(field));
}

/** Equal for equal selections of one type. */
export const selectionKey = (selection: FieldSelection): string =>
  selection === null ? '' : selection.map(({ name }) => name).join(',');

/** How many records each record brings along; undefined: as many as there are. */
export function includedByEach(include: IncludeTree): number | undefined {
  let ones = 0;
  for (const { field, include: inner } of include) {
    const below = includedByEach(inner);
    const isOne = field.structure === undefined ? isColumn(field) : !field.structure.many;
    if (!isOne || below === undefined) return undefined;
    ones += (field.structure === undefined ? 1 : 0) + below;
  }
  return ones;
}
