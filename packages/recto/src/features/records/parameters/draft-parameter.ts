import { readBoolean, readParameters } from '../../../query/query-text.ts';

/** What a query string asks for: a record, or its draft (`draft=true`), and all other parameters. */
export function readDraftParameter(search: string): { readonly draft: boolean; readonly rest: string } {
  if (!search.includes('draft')) return { draft: false, rest: search };
  const parameters = new Map(readParameters(search));
  const text = parameters.get('draft');
  if (text === undefined) return { draft: false, rest: search };
  parameters.delete('draft');
  const draft = readBoolean('draft', text);
  return { draft, rest: new URLSearchParams(Object.fromEntries(parameters)).toString() };
}
