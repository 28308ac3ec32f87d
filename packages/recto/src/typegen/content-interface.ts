import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import { type IncludableField, includableFields } from '../definition/includable-fields.ts';
import { profileSingular } from '../definition/profile/profile-type.ts';
import { fullView } from '../definition/rights/read-view.ts';
import { localizedFields } from '../definition/stored-field.ts';
import { docComment } from './doc-comment.ts';
import { propertyName, unionType } from './schema-type.ts';

/** The generated types that one content type has; those that are the same as another have its name. */
export interface EntryNames {
  readonly get: string;
  readonly list: string;
  readonly created: string;
  readonly updated: string;
  readonly admin: string;
  readonly create: string;
  /** Absent: its routes take no changes. */
  readonly update: string | undefined;
}

/**
 * `Content`: every content type by its plural (a single type: by its singular), as the client's `createClient<Content>()` takes it. A
 * relation has the key of its target.
 */
export function contentInterface(
  types: ContentTypes,
  sorted: readonly ContentType[],
  names: (type: ContentType) => EntryNames,
): string {
  const entries = sorted.map((type) => entry(type, types, names(type)));
  const doc = docComment([
    'All content types by their plurals, single types by their singulars: `createClient<Content>()`.',
  ]);
  return `${doc}export interface Content {\n${entries.join('')}}\n`;
}

function entry(type: ContentType, types: ContentTypes, names: EntryNames): string {
  const { get, list, created, updated, admin, create, update = 'never' } = names;
  const relations = includableFields(type, fullView).map((field) => relation(field, types));
  const members = [
    `kind: ${JSON.stringify(type.kind)}`,
    `singular: ${JSON.stringify(type.singular)}`,
    `plural: ${JSON.stringify(type.plural)}`,
    ...Object.entries({ get, list, created, updated, admin, create, update }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    relations.length === 0 ? 'relations: {}' : `relations: { ${relations.join('; ')} }`,
    ...languages(type),
  ];
  return `  ${propertyName(contentKey(type))}: {\n${members.map((member) => `    ${member};\n`).join('')}  };\n`;
}

/** The languages of a type with localized fields, and these fields. */
function languages(type: ContentType): readonly string[] {
  if (type.languages === undefined) return [];
  const texts = (names: readonly string[]): string => unionType(names.map((name) => JSON.stringify(name)));
  const tags = type.languages.all.map(({ tag }) => tag);
  return [`languages: ${texts(tags)}`, `localized: ${texts(localizedFields(type).map(({ name }) => name))}`];
}

/** The name of a type in `Content`. */
export const contentKey = (type: ContentType): string => (type.kind === 'single' ? type.singular : type.plural);

/** Null for the profiles of accounts, which are no content. */
function relation({ name, target }: IncludableField, types: ContentTypes): string {
  const key = target === profileSingular ? null : contentKey(types.get(target));
  return `${propertyName(name)}: ${JSON.stringify(key)}`;
}
