import { badRequest } from '../base/problem.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import type { ReadView } from '../definition/rights/read-view.ts';
import { readGiven, readParameters, shownName } from './query-text.ts';
import {
  readAlternates,
  readEveryLanguage,
  readMay,
  readVisibilityParams,
  type VisibilityParams,
} from './read-view.ts';
import { type FieldSelection, type IncludeTree, readFieldSelection, readInclude } from './record-parts.ts';

/** What a request for one record asks for besides its id. */
export interface RecordQuery {
  readonly include: IncludeTree;
  readonly fields: FieldSelection;
  readonly choices: VisibilityParams;
  /** Whether the record says what the caller may do with it. */
  readonly may: boolean;
  /** Whether the record has its addresses in all languages. */
  readonly alternates: boolean;
  /** Whether localized fields have what each language says. */
  readonly inEvery: boolean;
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
  const isRead = route === 'read';
  const { may, others } = isRead ? readMay(sent, type, view) : { may: false, others: sent };
  const { alternates, others: rest } = isRead ? readAlternates(others, type) : { alternates: false, others };
  const { inEvery, others: parameters } = isRead
    ? readEveryLanguage(rest, type, view)
    : { inEvery: false, others: rest };
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
    may,
    alternates,
    inEvery,
    parameters,
  };
}
