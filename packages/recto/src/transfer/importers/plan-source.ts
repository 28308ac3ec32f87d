import { type DeployedDefinitions, roleSources } from '../../content-types/definition-set.ts';
import { checkDefinitions } from '../../definition/check-definitions.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { DefinitionFault } from '../../definition/definition-fault.ts';
import type { DefinitionSource } from '../../definition/definition-source.ts';
import { oneLanguage } from '../../definition/languages/languages.ts';
import { hasLanguages, plannedLanguages } from './foreign-languages.ts';
import type { ForeignContent } from './importer.ts';
import { planRoles } from './plan-roles.ts';
import type { ForeignPlan } from './plan-text.ts';
import { planTypes } from './plan-types.ts';

/** The definitions and roles for a source, which load beside those that the installation has. `existing`: its types, those of its database included. */
export function planSource(
  content: ForeignContent,
  deployed: DeployedDefinitions,
  existing: ContentTypes,
): ForeignPlan {
  const { builtIn, files, languages = oneLanguage } = deployed;
  const own = roleSources(deployed, []);
  const deployedTypes = [...builtIn, ...files.sources];
  // Files can name types of the database, which are no files: what was wrong before is none of the plan's.
  const before = new Set((checkDefinitions(deployedTypes, { roles: own, languages }).faults ?? []).map(placeOf));
  const check = (types: readonly DefinitionSource[], roles: readonly DefinitionSource[] = []) => {
    const whole = { ...own, sources: [...own.sources, ...roles] };
    const { faults = [] } = checkDefinitions([...deployedTypes, ...types], { roles: whole, languages });
    return faults.filter((fault) => !before.has(placeOf(fault)));
  };
  const extended = new Set(files.sources.flatMap(({ definition }) => extendedName(definition) ?? []));
  const { types, renamed } = planTypes(content, { types: existing, extended }, check);
  const sources = types.flatMap(({ to, definition }) => (definition === undefined ? [] : [{ file: to, definition }]));
  const roles = planRoles(content.roles ?? [], { renamed, existing }, (planned) => check(sources, planned));
  const planned = plannedLanguages(content.languages ?? [], languages);
  return {
    ...{ types, roles: roles.roles, languages: planned, leftOut: [...content.leftOut, ...roles.leftOut] },
    ...(hasLanguages(planned, languages)
      ? {}
      : { neededLanguages: [...new Set(planned.map(([, tag]) => tag))].join(',') }),
  };
}

const placeOf = ({ file, path }: DefinitionFault): string => `${file} ${path}`;

/** The type of the product that a definition extends. */
function extendedName(definition: unknown): string | undefined {
  const name: unknown = Reflect.get(Object(definition), 'extends');
  return typeof name === 'string' ? name : undefined;
}
