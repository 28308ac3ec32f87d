import { conflict, type FieldFault, invalid, notFound, Problem } from '../base/problem.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { DefinitionFault } from '../definition/definition-fault.ts';

/**
 * All errors in a set of definitions, for the caller who sent the one from `source`. An error in another definition has an
 * empty `field` and names its place in the message.
 */
export function definitionProblem(faults: readonly DefinitionFault[], source: string): Problem {
  const own = faults.filter(({ file }) => file === source);
  // If a name is taken, other definitions that refer to it are ambiguous.
  const others = own.some(({ code }) => code === 'taken') ? [] : faults.filter(({ file }) => file !== source);
  return invalid([...own, ...others].map((fault) => fieldFault(fault, source)));
}

function fieldFault({ file, path, message, remedy, code }: DefinitionFault, source: string): FieldFault {
  const text = sentence(`${message}: ${remedy}`);
  if (file === source) return { field: path, code: code ?? 'invalid', message: text };
  const place = path === '' ? file : `${file}, ${path}`;
  return { field: '', code: 'breaks_other_type', message: `In ${place}: ${message}. ${sentence(remedy)}` };
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;

export const noSuchType = (singular: string): Problem =>
  notFound(`There is no content type "${singular}". Use its singular name.`);

/** Only types created through the API can be changed through it. */
export function notOurs({ singular, source, builtIn }: ContentType): Problem {
  const owner = builtIn ? 'ships with the product' : `is defined in ${source}, which belongs to the deployment`;
  const remedy = builtIn ? 'a file with extends can add fields to it' : 'change it there';
  return conflict('belongs_to_deployment', `The content type "${singular}" ${owner}; ${remedy}.`);
}

export const handedOver = (singular: string): Problem =>
  conflict(
    'handed_over',
    `The content type "${singular}" was handed over to files (recto schema export --move); change it there.`,
  );

export const staleDefinition = (): Problem =>
  conflict('stale', 'The definition has changed since: the If-Match tag is not its own. Read it again.');

/** Stored data does not allow the change, or needs `migrations`. Both are full sentences. */
export function notStorable(refusals: readonly string[], migrations: readonly string[]): Problem {
  const all = [...refusals, ...migrations].map(sentence);
  const way =
    migrations.length === 0 ? '' : ' "recto migrate apply" makes such changes, once the type is handed over to files.';
  return new Problem(409, 'stored_data', `What is stored does not allow this. ${all.join(' ')}${way}`, {
    errors: all.map((message) => ({ field: '', code: 'stored_data', message })),
  });
}

export function stillReferred(type: ContentType, others: readonly ContentType[]): Problem {
  const names = others.map(({ singular }) => `"${singular}"`).join(', ');
  return conflict(
    'content_type_in_use',
    `Other content types relate to "${type.singular}": ${names}. Take those relations out first.`,
  );
}
