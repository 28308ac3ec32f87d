/** A value as the filter language writes it. Numbers keep their digits: a decimal needs every one of them. */
export type FilterValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'boolean'; readonly value: boolean };

export type DurationUnit = 'm' | 'h' | 'd' | 'w';

/** What a condition compares with. */
export type Comparison =
  /** One value. */
  | {
      readonly operator: 'equals' | 'not_equals' | 'greater' | 'at_least' | 'less' | 'at_most' | 'has';
      readonly value: FilterValue;
    }
  /** A part of a text. */
  | { readonly operator: 'contains' | 'not_contains' | 'begins' | 'ends'; readonly text: string }
  | { readonly operator: 'in' | 'not_in'; readonly values: readonly FilterValue[] }
  | { readonly operator: 'between'; readonly from: FilterValue; readonly to: FilterValue }
  /** `none` and `some`: of a relation to many. */
  | { readonly operator: 'empty' | 'not_empty' | 'none' | 'some' | 'today' | 'yesterday' | 'mine' }
  /** Counted from now; `day`: whole days, for fields without a time. */
  | {
      readonly operator: 'within_last' | 'within_next' | 'longer_ago';
      readonly amount: number;
      readonly unit: DurationUnit;
      readonly day: boolean;
    };

export type Operator = Comparison['operator'];

/** A comparison of one field. */
export interface FilterCondition {
  readonly node: 'condition';
  /** A field, or a path through relations: `author.name`. */
  readonly path: string;
  readonly comparison: Comparison;
}

/** A part that the builder cannot show. It is kept as it was written. */
export interface FilterText {
  readonly node: 'text';
  readonly text: string;
}

export interface FilterGroup {
  readonly node: 'group';
  readonly join: 'and' | 'or';
  readonly items: readonly FilterNode[];
}

export type FilterNode = FilterCondition | FilterText | FilterGroup;

export const emptyFilter: FilterGroup = { node: 'group', join: 'and', items: [] };
