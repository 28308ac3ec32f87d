/** The value that a path leads to, by the paths on the way there (`pathsTo`). */
export function valueAt(values: unknown, paths: readonly string[]): unknown {
  let value = values;
  let before = '';
  for (const path of paths) {
    if (typeof value !== 'object' || value === null) return undefined;
    const step = path.slice(before.length).replace(/^\./, '');
    const name = step.startsWith('[') ? String(JSON.parse(step.slice(1, -1))) : step;
    if (!Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
    before = path;
  }
  return value;
}
