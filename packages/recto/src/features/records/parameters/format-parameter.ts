import Type, { type TObject } from 'typebox';
import { badRequest } from '../../../base/problem.ts';
import type { ContentType } from '../../../definition/content-type.ts';
import { type ReadView, viewNamed } from '../../../definition/rights/read-view.ts';
import { invalidParameter, readParameters } from '../../../query/query-text.ts';
import { isFilterName } from '../../../query/row-query.ts';
import { ruleParameters } from '../../../records/plans/access.ts';

/** The parameter that names the form of a list. */
const name = 'format';

/** What goes with pages, or with what a file of rows cannot hold. */
const ofPages = ['include', 'page', 'page_size', 'cursor', 'skip_total'] as const;

/** Whether `format` has another meaning in lists of the type: a field or a rule of the endpoint has the name. */
const isTaken = (type: ContentType, view: ReadView): boolean =>
  isFilterName(type, view, name) || ruleParameters(type, view, 'list').has(name);

/** The form that a query string asks for, and all other parameters. */
export function readFormatParameter(
  type: ContentType,
  view: ReadView,
  search: string,
): { readonly format: 'json' | 'csv'; readonly rest: string } {
  if (!search.includes(name) || isTaken(type, view)) return { format: 'json', rest: search };
  const parameters = new Map(readParameters(search));
  const format = parameters.get(name);
  if (format === undefined) return { format: 'json', rest: search };
  parameters.delete(name);
  if (format !== 'json' && format !== 'csv') throw invalidParameter(name, '"json" or "csv"');
  if (format === 'csv') leaveOutPages(parameters);
  return { format, rest: new URLSearchParams(Object.fromEntries(parameters)).toString() };
}

function leaveOutPages(parameters: Map<string, string>): void {
  for (const other of ofPages) {
    const value = parameters.get(other);
    parameters.delete(other);
    if (value !== undefined && value !== '')
      throw badRequest(
        'invalid_parameter',
        `"${other}" does not go with "format=csv", which has all records in one file.`,
      );
  }
}

/** The parameters of a list, with that of its form. */
export function withFormat(schema: TObject, type: ContentType, view: 'list' | 'admin'): TObject {
  if (isTaken(type, viewNamed(view))) return schema;
  return Type.Object({ ...schema.properties, [name]: Type.Optional(parameter) });
}

const parameter = Type.Enum(['json', 'csv'], {
  component: 'Format',
  default: 'json',
  description:
    '`csv`: all records that match, in one file of rows. Not with `include`, `page`, `page_size`, `cursor` or `skip_total`.',
});
