import type { Component } from 'svelte';
import type { FieldProps } from './field.ts';

export type FieldComponent = Component<FieldProps>;

/** A component that is loaded when a form needs it. */
export interface LazyField {
  /** There, once it is loaded: then it is shown at once. */
  readonly loaded: FieldComponent | undefined;
  /** The form is shown before it is there, with its place kept free. */
  readonly isHeavy: boolean;
  load(): Promise<FieldComponent>;
}

/** What the admin has for a type of field. */
export interface FieldType {
  /** Edits a value. What not every form needs is loaded with the first that does. */
  readonly component: FieldComponent | LazyField;
  /** A value in a few plain words, for a cell of a list and the line of a collapsed item; empty for no value. */
  summary(value: unknown): string;
}
