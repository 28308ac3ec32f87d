import type { Component } from 'svelte';
import type { FieldProps } from './field.ts';

export type FieldComponent = Component<FieldProps>;

/** What the admin has for a type of field. */
export interface FieldType {
  /** Edits a value. A heavy one is loaded when a form first shows such a field. */
  readonly component: FieldComponent | { load(): Promise<{ readonly default: FieldComponent }> };
  /** A value in a few plain words, for a cell of a list and the line of a collapsed item; empty for no value. */
  summary(value: unknown): string;
}
