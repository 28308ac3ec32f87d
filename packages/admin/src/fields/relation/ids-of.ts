/** The ids in the value of a relation: of one or many, and of records that were included. */
export function idsOf(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => {
    const id = typeof one === 'object' && one !== null && 'id' in one ? one.id : one;
    return typeof id === 'string' && id !== '' ? [id] : [];
  });
}
