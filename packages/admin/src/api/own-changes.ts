/** Records that this tab has changed, by the plural name of their type: their marks as changed are for what others do. */
const changed = new Map<string, Set<string>>();

export function noteOwnChange(plural: string, ids: readonly string[]): void {
  const known = changed.get(plural) ?? new Set();
  for (const id of ids) known.add(id);
  changed.set(plural, known);
}

/** Whether it was changed here since this was asked last. */
export const takeOwnChange = (plural: string, id: string): boolean => changed.get(plural)?.delete(id) === true;
