import Type from 'typebox';
import { badRequest } from '../../../base/problem.ts';
import type { ContentType } from '../../../definition/content-type.ts';
import { viewFor } from '../../../definition/rights/read-view.ts';
import type { Operation, RequestContext } from '../../../http/operation.ts';
import { readParameters } from '../../../query/query-text.ts';
import type { Records } from '../../../records/records.ts';
import { type InLanguage, inLanguage, takesLanguage } from './language-parameter.ts';

/** Stands for all languages where a request names one. */
const every = '*';

/** The query string of a route that names one language, or all of them. */
export function languageQuery({ languages }: ContentType, orAll: boolean): Pick<Operation, 'query'> {
  if (languages === undefined) return {};
  const tags = [...languages.all.map(({ tag }) => tag), ...(orAll ? [every] : [])];
  const description = `The language that is meant${orAll ? `, or \`${every}\` for all` : ''}. Default: ${languages.default.tag}.`;
  const language = Type.Unsafe<string>({ type: 'string', enum: tags, description });
  // The records check it.
  return { query: { schema: Type.Object({ language: Type.Optional(language) }), validation: 'own' } };
}

/** What such a request asks about; `all`: all languages. 400 for any other parameter, and for a language that the service does not have. */
export function namedLanguage(
  type: ContentType,
  records: Records,
  { caller, search }: RequestContext,
): InLanguage | 'all' {
  const view = viewFor('admin', caller, records.types);
  const question = { type, view, action: 'update', reads: false } as const;
  if (type.languages === undefined || !takesLanguage(records, question))
    return { records, type, rest: '', caller, tag: undefined };
  const parameters = new Map(readParameters(search));
  if (parameters.size === 1 && parameters.get('language') === every) return 'all';
  const asked = inLanguage(records, question, search, caller);
  if (asked.rest !== '') throw badRequest('unknown_parameter', '"language" is the only parameter of this route.');
  return asked;
}
