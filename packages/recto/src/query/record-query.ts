import { badRequest } from '../base/problem.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import { type IncludeTree, readInclude } from './include-tree.ts';
import { readParameters, shownName } from './query-text.ts';
import type { ReadView } from './read-view.ts';
import { readVisibilityParams, type VisibilityParams } from './visibility-params.ts';

/** What a request for one record asks for besides its id. */
export interface RecordQuery {
  readonly include: IncludeTree;
  readonly choices: VisibilityParams;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads the query string of a request for one record: what a read takes (`include`, the admin's choice of rows), and what the endpoint's rules read. */
export function readRecordQuery(
  search: string,
  question: { readonly type: ContentType; readonly types: ContentTypes; readonly view: ReadView },
  ruleParameters: ReadonlySet<string>,
  isRead: boolean,
): RecordQuery {
  const parameters = readParameters(search);
  const choices = readVisibilityParams(isRead ? parameters : new Map(), question.type, question.view);
  for (const name of parameters.keys()) {
    if ((name === 'include' && isRead) || choices.has(name) || ruleParameters.has(name)) continue;
    throw badRequest('unknown_parameter', `"${shownName(name)}" is no parameter of this route.`);
  }
  const include = isRead ? parameters.get('include') : undefined;
  return {
    include:
      include === undefined || include === '' ? [] : readInclude(include, question.type, question.view, question.types),
    choices,
    parameters,
  };
}
