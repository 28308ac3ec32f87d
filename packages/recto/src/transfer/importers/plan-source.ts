import { type DeployedDefinitions, roleSources } from '../../content-types/definition-set.ts';
import { checkDefinitions } from '../../definition/check-definitions.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { ForeignContent } from './importer.ts';
import type { PlannedType } from './plan-text.ts';
import { planTypes } from './plan-types.ts';

/** The definitions for a source, which load beside those that the installation has. `existing`: its types, those of its database included. */
export function planSource(
  content: ForeignContent,
  deployed: DeployedDefinitions,
  existing: ContentTypes,
): readonly PlannedType[] {
  const { builtIn, files, languages } = deployed;
  const traits = { roles: roleSources(deployed, []), ...(languages === undefined ? {} : { languages }) };
  return planTypes(content, existing, (definitions) => {
    return checkDefinitions([...builtIn, ...files.sources, ...definitions], traits).faults ?? [];
  });
}
