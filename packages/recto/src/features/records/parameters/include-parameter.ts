import Type, { type TSchema } from 'typebox';
import type { ContentType, ContentTypes } from '../../../definition/content-type.ts';
import { includableFields } from '../../../definition/includable-fields.ts';
import { readableFields } from '../../../definition/readable-fields.ts';
import { includedName, type ViewName, viewNamed } from '../../../definition/rights/read-view.ts';
import { innerFields } from '../../../definition/structure/structure-items.ts';
import { deepestInclude, mostIncludes } from '../../../query/record-parts.ts';
import { schemaName } from '../schema-name.ts';

/** `include` with the relations that a view shows, to all levels; undefined where it shows none. */
export function includeParameter(type: ContentType, view: ViewName, types: ContentTypes): TSchema | undefined {
  const [first = [], ...deeper] = includePaths(type, view, types);
  if (first.length === 0) return undefined;
  const name = `${schemaName(type)}Include`;
  const isUsual = view === 'get' || Bun.deepEquals(includePaths(type, 'get', types), [first, ...deeper]);
  return Type.Array(pathSchema(first, deeper.flat()), {
    component: isUsual ? name : `${name}_${view}`,
    maxItems: mostIncludes,
    description: 'Relations to populate: the answer has the related records in place of their ids.',
  });
}

/** More than this would make the document of a service with many relations unreadable. */
const mostPaths = 200;

function pathSchema(first: readonly string[], deeper: readonly string[]): TSchema {
  if (first.length + deeper.length <= mostPaths) return Type.Unsafe({ type: 'string', enum: [...first, ...deeper] });
  const level = String.raw`\.[a-z_][a-z0-9_-]*`;
  return Type.Unsafe({
    type: 'string',
    anyOf: [{ enum: [...first] }, { pattern: `^(?:${first.join('|').replaceAll('.', '\\.')})(?:${level}){1,16}$` }],
    description: `A relation, or a path of relations such as ${deeper[0]}.`,
  });
}

/** The paths that `include` takes, one list a level. */
function includePaths(type: ContentType, view: ViewName, types: ContentTypes): readonly (readonly string[])[] {
  let level: readonly Path[] = [{ path: '', type, view }];
  const levels: (readonly string[])[] = [];
  let count = 0;
  for (let depth = 1; depth <= deepestInclude && count <= mostPaths; depth += 1) {
    level = level.flatMap((above) => pathsBelow(above, types));
    levels.push([...new Set(level.map(({ path }) => path))]);
    count += level.length;
  }
  return levels;
}

interface Path {
  readonly path: string;
  readonly type: ContentType;
  readonly view: ViewName;
}

function pathsBelow({ path, type, view }: Path, types: ContentTypes): readonly Path[] {
  const below = [
    ...includableFields(type, viewNamed(view)).map(({ name, target }) => ({ name, target })),
    ...innerRelations(type, view),
  ];
  const paths = below.map(
    ({ name, target }): Path => ({
      path: path === '' ? name : `${path}.${name}`,
      type: types.get(target),
      view: includedName(view),
    }),
  );
  // Blocks of several kinds may have a relation of the same name to the same type.
  return paths.filter((one, at) => paths.findIndex((each) => each.path === one.path && each.type === one.type) === at);
}

interface NamedRelation {
  readonly name: string;
  readonly target: string;
}

/** The relations inside structured fields that the view shows. */
const innerRelations = (type: ContentType, view: ViewName): readonly NamedRelation[] =>
  readableFields(type, viewNamed(view)).flatMap((field) =>
    innerFields(field).flatMap(({ names, field: { place }, isPrivate }) =>
      place.shape === 'column' || (isPrivate && view !== 'admin')
        ? []
        : [{ name: [field.name, ...names].join('.'), target: place.target }],
    ),
  );
