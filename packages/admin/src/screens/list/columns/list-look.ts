/** How close the rows of a list stand. */
export const densities = ['compact', 'normal', 'roomy'] as const;
export type Density = (typeof densities)[number];

/** What records are shown as: rows, cards with their pictures, or cards in a column for each status. */
export const layouts = ['table', 'cards', 'board'] as const;
export type Layout = (typeof layouts)[number];

/** What a list looks like. */
export interface ListLook {
  readonly density: Density;
  readonly layout: Layout;
}

/** What somebody has chosen, as it was kept. */
export const lookOf = (kept: { readonly density?: unknown; readonly layout?: unknown }): Partial<ListLook> => {
  const density = densities.find((each) => each === kept.density);
  const layout = layouts.find((each) => each === kept.layout);
  return { ...(density === undefined ? {} : { density }), ...(layout === undefined ? {} : { layout }) };
};
