import type { ContentTypes } from '../definition/content-type.ts';
import type { DefinitionFiles } from '../definition/definition-folder.ts';
import type { DefinitionRegistry } from '../definition/definition-registry.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import type { Languages } from '../definition/languages/languages.ts';
import { typesOfFiles } from '../definition/load-definitions.ts';
import { noRoleFiles, type RoleFiles } from '../definition/roles/role-files.ts';
import { type StoredRole, storedRoleSource } from './roles/stored-role.ts';
import { type StoredDefinition, singularOf, storedSource } from './stored-definition.ts';

/** The definitions that come with a deployment: those of the product, and those of its files. */
export interface DeployedDefinitions {
  readonly builtIn: readonly DefinitionSource[];
  readonly files: DefinitionFiles;
  /** The roles of its files; absent: none. */
  readonly roles?: RoleFiles | undefined;
  /** The languages of the content; absent: one that nobody has named. */
  readonly languages?: Languages | undefined;
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

/** What is kept in the database beside a deployment: the definitions that are served, and the roles. */
export interface StoredSet {
  readonly served: readonly StoredDefinition[];
  readonly roles: readonly StoredRole[];
}

/** The content types and roles of a deployment and of what is stored beside it. Throws `DefinitionFaults`. */
export function typesOf(deployed: DeployedDefinitions, stored: StoredSet = nothingStored): ContentTypes {
  if (stored.served.length + stored.roles.length > 0) return checkedTypes(deployed, stored);
  const known = alone.get(deployed);
  if (known !== undefined) return known;
  const types = checkedTypes(deployed, stored);
  alone.set(deployed, types);
  return types;
}

const nothingStored: StoredSet = Object.freeze({ served: [], roles: [] });

/** The types of deployments alone, cached: a start needs them up to three times. */
const alone = new WeakMap<DeployedDefinitions, ContentTypes>();

const checkedTypes = (deployed: DeployedDefinitions, { served, roles }: StoredSet): ContentTypes =>
  typesOfFiles(
    deployed.files,
    [...deployed.builtIn, ...served.map(({ singular, definition }) => storedSource(singular, definition))],
    { registry: deployed.registry, roles: roleSources(deployed, roles), languages: deployed.languages },
  );

/** The roles of a deployment's files and the stored ones, as the check takes them. */
export const roleSources = (
  { roles = noRoleFiles }: Pick<DeployedDefinitions, 'roles'>,
  stored: readonly StoredRole[],
): Pick<RoleFiles, 'sources' | 'unreadable'> => ({
  sources: [...roles.sources, ...stored.map(storedRoleSource)],
  unreadable: roles.unreadable,
});
