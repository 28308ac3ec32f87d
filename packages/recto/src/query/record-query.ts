import { badRequest } from '../base/problem.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import type { ReadView } from '../definition/rights/read-view.ts';
import { readGiven, readParameters, shownName } from './query-text.ts';
import { plainForms, type RecordForms, readForms, readVisibilityParams, type VisibilityParams } from './read-view.ts';
import { type FieldSelection, type IncludeTree, readFieldSelection, readInclude } from './record-parts.ts';

/** What a request for one record asks for besides its id. */
export interface RecordQuery extends RecordForms {
  readonly include: IncludeTree;
  readonly fields: FieldSelection;
  readonly choices: VisibilityParams;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The parameters of a route for one record: of a read, of the read of a version, and of any other. */
const parametersOf = { read: ['include', 'fields'], version: ['include'], other: [] } as const;

/**
 * Reads the query string of a request for one record: what a read takes (`include`, `fields`, the admin's choice of rows), and what
 * the endpoint's rules read.
 */
export function readRecordQuery(
  search: string,
  question: { readonly type: ContentType; readonly types: ContentTypes; readonly view: ReadView },
  ruleParameters: ReadonlySet<string>,
  route: keyof typeof parametersOf,
): RecordQuery {
  const { type, types, view } = question;
  const sent = readParameters(search);
  const asked = route === 'read' ? readForms(sent, type, view) : { ...plainForms, others: sent };
  const { others: parameters, ...forms } = asked;
  const own: readonly string[] = parametersOf[route];
  const choices = readVisibilityParams(route === 'other' ? new Map() : parameters, type, view);
  for (const name of parameters.keys()) {
    if (own.includes(name) || choices.has(name) || ruleParameters.has(name)) continue;
    throw badRequest('unknown_parameter', `"${shownName(name)}" is no parameter of this route.`);
  }
  const given = new Map([...parameters].filter(([name]) => own.includes(name)));
  return {
    include: readGiven(given, 'include', (_, text) => readInclude(text, type, view, types)) ?? [],
    fields: readGiven(given, 'fields', (_, text) => readFieldSelection(text, type, view)) ?? null,
    choices,
    ...forms,
    parameters,
  };
}
