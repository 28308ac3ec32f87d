import { type Component, getContext, setContext } from 'svelte';
import type { FieldInfo, FormHistory, FormLanguage, FormNotes, FormProps, FormType } from './field.ts';
import type { FieldType } from './field-type.ts';

/** What a form gives the fields inside it, however deep they are. Its members are reactive. */
export interface FormContext {
  /** Begins the ids of its controls. */
  readonly id: string;
  readonly type: FormType;
  /** The record that it edits; undefined: a new one. */
  readonly recordId: string | undefined;
  /** A form of another type, such as of a record that a relation is to lead to. */
  readonly Form: Component<FormProps>;
  /** What edits values of a field. Fields inside a field are found here, so that no field knows the others. */
  fieldType(field: FieldInfo): FieldType;
  /** Something was typed in the control at a path, which shows it already: `report` may be called after the frame that shows the key. */
  typed(path: string, report: () => void): void;
  /** For a control that reports by itself later: `report` is called where that is asked for before. Returns what says that it has reported. */
  hold(report: () => void): () => void;
  /** Reports what was typed now. */
  settle(): void;
  /** Undefined: each field has its own. */
  readonly history: FormHistory | undefined;
  /** Its title and texts are laid out for writing. */
  readonly isWriting: boolean;
  /** Which fields are marked: those that must be filled, or the others where they are fewer. */
  readonly marks: 'required' | 'optional';
  /** The language in which the field at a path is written; undefined: it has one value for all, or the service has one language. */
  languageAt(path: string): FormLanguage | undefined;
  /** What people have written about fields; undefined: nothing is asked for. */
  readonly noted: FormNotes | undefined;
  /** What is wrong with the value at a path. */
  errorAt(path: string): string | undefined;
  /** How many errors there are inside a path. */
  errorsInside(path: string): number;
  /** The value at a path of the record, such as the title that a slug is made of. */
  valueAt(path: string): unknown;
}

const key = Symbol('form');

export const provideForm = (form: FormContext): FormContext => setContext(key, form);

export const useForm = (): FormContext => getContext<FormContext>(key);

/** The id of the control of the field at a path. */
export const controlId = (form: FormContext, path: string): string => `${form.id}:${path}`;
