import type { JsonValue } from './value-kind.ts';

export type Table = { readonly [name: string]: JsonValue };

export const isTable = (value: JsonValue | undefined): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
