import { checkDefinitions } from '../../packages/recto/src/definition/check-definitions.ts';
import type { ContentTypes } from '../../packages/recto/src/definition/content-type.ts';
import { DefinitionFaults } from '../../packages/recto/src/definition/definition-fault.ts';
import type { DefinitionSource } from '../../packages/recto/src/definition/definition-source.ts';
import { type Languages, languagesOf, oneLanguage } from '../../packages/recto/src/definition/languages/languages.ts';
import { builtInTypes } from '../../packages/recto/src/features/index.ts';

/** Definitions written as plain objects, as files of a deployment. */
export const deployed = (
  definitions: readonly unknown[],
  builtIn: readonly DefinitionSource[],
  roles: readonly unknown[] = [],
  languages: Languages = oneLanguage,
) => ({
  builtIn,
  languages,
  roles: {
    directory: '',
    sources: roles.map((definition, index) => ({ file: `roles/${index + 1}`, definition })),
    unreadable: [],
  },
  files: {
    directory: '',
    sources: definitions.map((definition, index) => ({ file: `definition-${index + 1}`, definition })),
    unreadable: [],
  },
});

/** The content types of these definitions, written as plain objects. Throws `DefinitionFaults` when anything is wrong with them. */
export function definitionsOf(...definitions: readonly unknown[]): ContentTypes {
  return contentTypesOf(definitions, []);
}

/** The same, of a service with these languages: `en,de`. */
export function definitionsIn(languages: string, ...definitions: readonly unknown[]): ContentTypes {
  return contentTypesOf(definitions, [], languagesIn(languages));
}

const languagesIn = (languages: string): Languages =>
  languagesOf({ languages: languages.split(','), languageFallbacks: {} });

/** These, and the types that ship with the product: pages, posts and comments. */
export function withBuiltIns(...definitions: readonly unknown[]): ContentTypes {
  return contentTypesOf(definitions, builtInTypes);
}

/** The same, of a service with these languages. */
export function withBuiltInsIn(languages: string, ...definitions: readonly unknown[]): ContentTypes {
  return contentTypesOf(definitions, builtInTypes, languagesIn(languages));
}

function contentTypesOf(
  definitions: readonly unknown[],
  others: readonly DefinitionSource[],
  languages: Languages = oneLanguage,
): ContentTypes {
  const files = definitions.map((definition, index) => ({ file: `definition-${index + 1}`, definition }));
  const { types, faults } = checkDefinitions([...others, ...files], { languages });
  if (faults !== undefined) throw new DefinitionFaults(faults);
  return types;
}
