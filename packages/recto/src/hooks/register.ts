/**
 * Where a project says which content it has: `recto types --hooks --out recto.d.ts` adds `content` to it. Without, records are
 * objects of any fields.
 */
// biome-ignore lint/suspicious/noEmptyInterface: projects add to it.
export interface Register {}
