import { badRequest } from '../base/problem.ts';
import type { ContentType, ContentTypes, Field } from '../definition/content-type.ts';
import { includableFields } from '../definition/includable-fields.ts';
import { shownName } from './query-text.ts';
import { includedView, type ReadView } from './read-view.ts';

/** A relation to populate, and what to populate within it. Branches are in the order of their names. */
export interface IncludeBranch {
  /** The member of the answer that has the records. */
  readonly name: string;
  readonly field: Field;
  readonly target: ContentType;
  readonly include: IncludeTree;
}

export type IncludeTree = readonly IncludeBranch[];

export const deepestInclude = 3;
export const mostIncludes = 20;

interface GrowingBranch {
  readonly name: string;
  readonly field: Field;
  readonly target: ContentType;
  readonly children: Map<string, GrowingBranch>;
}

/** Reads `include=author,author.team,topics`: relations that this view shows, to three levels. */
export function readInclude(text: string, type: ContentType, view: ReadView, types: ContentTypes): IncludeTree {
  const root = new Map<string, GrowingBranch>();
  const paths = text.split(',');
  if (paths.length > mostIncludes)
    throw badRequest('invalid_parameter', `"include" takes at most ${mostIncludes} relations.`);
  for (const path of paths) {
    const names = path.trim().split('.');
    if (names.length > deepestInclude) {
      throw badRequest(
        'invalid_parameter',
        `"include" goes ${deepestInclude} levels deep; "${shownName(path)}" is deeper.`,
      );
    }
    let level = root;
    let owner = type;
    let eyes = view;
    for (const name of names) {
      const branch: GrowingBranch = level.get(name) ?? grow(name, owner, eyes, types);
      level.set(name, branch);
      level = branch.children;
      owner = branch.target;
      eyes = includedView(eyes);
    }
  }
  return freeze(root);
}

function grow(name: string, owner: ContentType, view: ReadView, types: ContentTypes): GrowingBranch {
  const found = includableFields(owner, view).find((one) => one.name === name);
  if (found === undefined) {
    throw badRequest(
      'invalid_parameter',
      `"include" names "${shownName(name)}", which is no relation of ${owner.singular}.`,
    );
  }
  return { ...found, target: types.get(found.target), children: new Map() };
}

function freeze(level: ReadonlyMap<string, GrowingBranch>): IncludeTree {
  return [...level.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, field, target, children }) => ({ name, field, target, include: freeze(children) }));
}

/** The tree as one text, equal for equal trees: `author(team),topics`. */
export function includeKey(tree: IncludeTree): string {
  return tree.map(({ name, include }) => (include.length === 0 ? name : `${name}(${includeKey(include)})`)).join(',');
}
