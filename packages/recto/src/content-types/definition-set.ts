import type { ContentTypes } from '../definition/content-type.ts';
import type { DefinitionRegistry } from '../definition/definition-registry.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import { type DefinitionFiles, typesOfFiles } from '../definition/load-definitions.ts';
import { type StoredDefinition, singularOf, storedSource } from './stored-definition.ts';

/** The definitions that come with a deployment: those of the product, and those of its files. */
export interface DeployedDefinitions {
  readonly builtIn: readonly DefinitionSource[];
  readonly files: DefinitionFiles;
  /** The field types and protocols that they can name; default: those of the product. */
  readonly registry?: DefinitionRegistry | undefined;
}

/** The names of the types that a deployment's files define. */
export const namesInFiles = ({ files }: DeployedDefinitions): ReadonlySet<string> =>
  new Set(files.sources.flatMap(({ definition }) => singularOf(definition) ?? []));

/**
 * The stored definitions that are served beside a deployment's, without those handed over to files that exist.
 * `served` are the types that a running service has now: it keeps a type that only other deployments have as a file.
 */
export function servedDefinitions(
  stored: readonly StoredDefinition[],
  deployed: DeployedDefinitions,
  served?: ContentTypes,
): readonly StoredDefinition[] {
  const inFiles = namesInFiles(deployed);
  return stored.filter(({ singular, keeper }) => {
    if (keeper === 'api') return true;
    if (inFiles.has(singular)) return false;
    return keeper === 'handover' || served?.find(singular)?.stored === true;
  });
}

/** The content types of a deployment and of the stored definitions that are served beside it. Throws `DefinitionFaults`. */
export function typesOf(deployed: DeployedDefinitions, served: readonly StoredDefinition[]): ContentTypes {
  if (served.length > 0) return checkedTypes(deployed, served);
  const known = alone.get(deployed);
  if (known !== undefined) return known;
  const types = checkedTypes(deployed, served);
  alone.set(deployed, types);
  return types;
}

/** The types of deployments alone, cached: a start needs them up to three times. */
const alone = new WeakMap<DeployedDefinitions, ContentTypes>();

const checkedTypes = (deployed: DeployedDefinitions, served: readonly StoredDefinition[]): ContentTypes =>
  typesOfFiles(
    deployed.files,
    [...deployed.builtIn, ...served.map(({ singular, definition }) => storedSource(singular, definition))],
    deployed.registry,
  );
