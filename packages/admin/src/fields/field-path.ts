const plainName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** The path of a member of an object, spelled as the service spells it in errors. */
export function memberPath(parent: string, name: string): string {
  if (!plainName.test(name)) return `${parent}[${JSON.stringify(name)}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

/** The path of an item of a list. */
export const itemPath = (parent: string, index: number): string => `${parent}[${index}]`;

/** The paths that lead to a path, the outermost first, itself last: `a`, `a[2]`, `a[2].b`. */
export function pathsTo(path: string): readonly string[] {
  const ends = [...path.matchAll(/(?:^|\.)[^.[]+|\[(?:"(?:[^"\\]|\\.)*"|[^\]]*)\]/g)];
  return ends.map((match) => path.slice(0, match.index + match[0].length));
}

/** Whether a path is that of a field of the record itself, and of no group or list in it. */
export const isTop = (path: string): boolean => !/[.[]/.test(path);

/** Whether a path is the other one or leads inside it. */
export const isInside = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

/** The index of the item of the field at `path` in which another path is: 2 for `body[2].author` in `body`. */
export function itemAt(path: string, inner: string): number | undefined {
  if (!inner.startsWith(`${path}[`)) return undefined;
  const index = Number.parseInt(inner.slice(path.length + 1), 10);
  return Number.isNaN(index) ? undefined : index;
}
