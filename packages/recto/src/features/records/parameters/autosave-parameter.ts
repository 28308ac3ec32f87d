import { readBoolean, readParameters } from '../../../query/query-text.ts';

/** How a query string says that an update is of a sitting (`autosave`; undefined: of none), and all other parameters. */
export function readAutosaveParameter(search: string): { readonly autosave?: boolean; readonly rest: string } {
  if (!search.includes('autosave')) return { rest: search };
  const parameters = new Map(readParameters(search));
  const text = parameters.get('autosave');
  if (text === undefined) return { rest: search };
  parameters.delete('autosave');
  const autosave = readBoolean('autosave', text);
  return { autosave, rest: new URLSearchParams(Object.fromEntries(parameters)).toString() };
}
