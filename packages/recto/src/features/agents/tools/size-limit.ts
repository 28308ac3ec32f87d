/** How much one answer holds, in bytes of JSON: what an agent reads costs it room to think. */
const mostBytes = 16 * 1024;

export const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** As many of the first items as one answer holds. */
export function fitting<T>(items: readonly T[]): { readonly items: readonly T[]; readonly truncated: boolean } {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += sizeOf(item) + 1;
    return bytes > mostBytes;
  });
  return end === -1 ? { items, truncated: false } : { items: items.slice(0, end), truncated: true };
}

/** A text of which an answer holds a part. */
export interface CutText {
  readonly characters: number;
  /** Where the next part begins. */
  readonly next_offset: number;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * A record of which long texts begin at `offset` and end where the answer is full, and where they were cut. Values other than texts that
 * have no room are left out, and named among `omitted`.
 */
export function fittingRecord(record: Values, offset: number) {
  const cut: Record<string, CutText> = {};
  const omitted: string[] = [];
  let room = mostBytes;
  const values: Record<string, unknown> = {};
  // The short ones first: one long text leaves no room for them.
  for (const [name, value] of Object.entries(record).toSorted(([, a], [, b]) => sizeOf(a) - sizeOf(b))) {
    const rest = typeof value === 'string' && offset > 0 && value.length > offset ? value.slice(offset) : value;
    if (sizeOf(rest) <= room) values[name] = rest;
    else if (typeof value !== 'string' || typeof rest !== 'string') omitted.push(name);
    else {
      const shown = beginningOf(rest, room);
      values[name] = shown;
      cut[name] = { characters: value.length, next_offset: (rest === value ? 0 : offset) + shown.length };
    }
    room = Math.max(0, room - sizeOf(values[name]));
  }
  const inOrder = Object.fromEntries(
    Object.keys(record).flatMap((name) => (name in values ? [[name, values[name]]] : [])),
  );
  return {
    record: inOrder,
    ...(Object.keys(cut).length > 0 ? { truncated: cut } : {}),
    ...(omitted.length > 0 ? { omitted } : {}),
  };
}

/** Whole characters of a text that fit into so many bytes of JSON. */
function beginningOf(text: string, bytes: number): string {
  let [least, most] = [0, text.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (sizeOf(text.slice(0, middle)) <= bytes) least = middle;
    else most = middle - 1;
  }
  return text.slice(0, least).toWellFormed() === text.slice(0, least) ? text.slice(0, least) : text.slice(0, least - 1);
}
