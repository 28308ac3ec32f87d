import type { ContentType, VisibilityParameter } from '../definition/content-type.ts';
import { invalidParameter } from './query-text.ts';
import type { ReadView } from './read-view.ts';

/** The rows hidden by protocols that an admin read asks for: a parameter's name and its value. */
export type RowChoices = ReadonlyMap<string, string>;

export const noChoices: RowChoices = new Map();

/** The parameters with which a view may ask for rows that protocols hide. */
export const choiceParameters = (type: ContentType, view: ReadView): readonly VisibilityParameter[] =>
  view === 'admin' ? type.visible.flatMap(({ parameter }) => parameter ?? []) : [];

/** The choices among a request's parameters; 400 for a value that is none. */
export function readChoices(parameters: ReadonlyMap<string, string>, type: ContentType, view: ReadView): RowChoices {
  const chosen = choiceParameters(type, view).flatMap(({ name, choices }) => {
    const value = parameters.get(name);
    if (value === undefined) return [];
    if (!choices.has(value)) {
      throw invalidParameter(name, [...choices.keys()].map((choice) => `"${choice}"`).join(' or '));
    }
    return [[name, value] as const];
  });
  return chosen.length === 0 ? noChoices : new Map(chosen);
}

/** Equal for equal choices of one type. */
export const choicesKey = (choices: RowChoices): string => [...choices].map((choice) => choice.join('=')).join('&');
