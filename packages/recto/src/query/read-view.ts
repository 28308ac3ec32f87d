import type { ContentType, Field, VisibilityParameter } from '../definition/content-type.ts';
import { readableFields } from '../definition/readable-fields.ts';
import type { ReadView } from '../definition/rights/read-view.ts';
import { isLocalized } from '../definition/stored-field.ts';
import { invalidParameter, readBoolean, readGiven } from './query-text.ts';

/** The field of that name if this view shows it. An unreadable field is the same as none. */
export function readableField(type: ContentType, view: ReadView, name: string): Field | undefined {
  const field = type.field.get(name);
  return field !== undefined && readableFields(type, view).includes(field) ? field : undefined;
}

/** Asks on the admin routes what the caller may do with each record. A field of that name goes before it. */
const mayParameter = 'may';

/** Whether a view of a type takes the parameter `may`. */
export const takesMay = (type: ContentType, view: ReadView): boolean =>
  view.audience === 'admin' && !type.field.has(mayParameter);

/** Asks for the addresses of each record in all languages. A field of that name goes before it. */
const alternatesParameter = 'alternates';

/** Whether reads of a type take the parameter `alternates`. */
export const takesAlternates = (type: ContentType): boolean =>
  isLocalized(type) && !type.field.has(alternatesParameter);

/** The value of `language` with which admin reads ask for all languages. */
export const everyLanguage = '*';

/** Whether reads through a view can ask for records in all languages at once. */
export const takesEveryLanguage = (type: ContentType, view: ReadView): boolean =>
  view.audience === 'admin' && isLocalized(type) && !type.field.has('language');

/** What a read asks of each record besides its fields. */
export interface RecordForms {
  /** Whether each record says what the caller may do with it. */
  readonly may: boolean;
  /** Whether each record has its addresses in all languages. */
  readonly alternates: boolean;
  /** Whether localized fields have what each language says. */
  readonly inEvery: boolean;
}

/** Without any of them. */
export const plainForms: RecordForms = { may: false, alternates: false, inEvery: false };

/** The parameters without those that ask for forms of the records, and these. A parameter that a read does not take stays. */
export function readForms(
  parameters: ReadonlyMap<string, string>,
  type: ContentType,
  view: ReadView,
): RecordForms & { readonly others: ReadonlyMap<string, string> } {
  const others = new Map(parameters);
  const takeFlag = (name: string, isTaken: boolean): boolean => {
    if (!isTaken) return false;
    const isAsked = readGiven(others, name, readBoolean) ?? false;
    others.delete(name);
    return isAsked;
  };
  const may = takeFlag(mayParameter, takesMay(type, view));
  const alternates = takeFlag(alternatesParameter, takesAlternates(type));
  const inEvery = others.get('language') === everyLanguage && takesEveryLanguage(type, view);
  if (inEvery) others.delete('language');
  return { may, alternates, inEvery, others };
}

/** The parameters by which an admin read asks for records that protocols hide, with their values. */
export type VisibilityParams = ReadonlyMap<string, string>;

export const noVisibilityParams: VisibilityParams = new Map();

/** The parameters with which a view may ask for rows that protocols hide. */
export const choiceParameters = (type: ContentType, view: ReadView): readonly VisibilityParameter[] =>
  view.audience === 'admin'
    ? type.visible.flatMap(({ parameter }) =>
        parameter !== undefined && readsChoices(type, view, parameter) ? parameter : [],
      )
    : [];

/** Whether a view shows the fields that the choices are between. */
const readsChoices = (type: ContentType, view: ReadView, { choices }: VisibilityParameter): boolean =>
  [...choices.values()].every((rule) =>
    [...(rule?.reads.fields ?? [])].every((name) => readableField(type, view, name) !== undefined),
  );

/** The choices among a request's parameters; 400 for a value that is none. */
export function readVisibilityParams(
  parameters: ReadonlyMap<string, string>,
  type: ContentType,
  view: ReadView,
): VisibilityParams {
  const chosen = choiceParameters(type, view).flatMap(({ name, choices }) => {
    const value = parameters.get(name);
    if (value === undefined) return [];
    if (!choices.has(value)) {
      throw invalidParameter(name, [...choices.keys()].map((choice) => `"${choice}"`).join(' or '));
    }
    return [[name, value] as const];
  });
  return chosen.length === 0 ? noVisibilityParams : new Map(chosen);
}

/** Equal for equal choices of one type. */
export const visibilityParamsKey = (choices: VisibilityParams): string =>
  [...choices].map((choice) => choice.join('=')).join('&');
