/** Whether two values of a field are the same by value. A value that is absent is null. */
export function sameValue(one: unknown, other: unknown): boolean {
  const [a, b] = [one ?? null, other ?? null];
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => sameValue(item, b[index]));
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => sameValue(Reflect.get(a, name), Reflect.get(b, name)));
}
