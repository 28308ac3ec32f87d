/** A list of records as a person wants to see it again. */
export interface SavedView {
  readonly id: string;
  /** The singular name of a content type, which may not be served any more. */
  readonly type: string;
  readonly name: string;
  /** Whether everyone who may open the admin sees it, in the tenant of its owner. */
  readonly shared: boolean;
  /** What the list shows. An empty text: as the list does without a view. */
  readonly filter: string;
  readonly search: string;
  readonly sort: string;
  /** The names of the columns, in their order; empty: those of the type. */
  readonly columns: readonly string[];
  /** The account or API token that made it. */
  readonly owner: string;
  /** The tenant of its owner; null: none. */
  readonly tenant: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What people decide about a view. */
export type SavedViewInput = Pick<SavedView, 'type' | 'name' | 'shared' | 'filter' | 'search' | 'sort' | 'columns'>;

export const viewLimits = {
  name: 100,
  filter: 4_096,
  search: 500,
  sort: 1_000,
  columns: 200,
  columnName: 200,
  /** Of one owner. */
  views: 500,
} as const;

export const preferenceLimits = {
  /** Bytes of the JSON of one value. */
  bytes: 16_384,
  /** Of one account. */
  preferences: 500,
} as const;
