/** What it depends on whether records of a type are written in several languages: `ContentTypeInfo` has it. */
interface LocalizedType {
  readonly languages?: readonly string[];
  readonly definition: {
    readonly fields?: readonly { readonly name: string; readonly [option: string]: unknown }[];
  };
}

/** The fields of a type that have a value for each language. None where the service has one language. */
export const localizedFields = ({ languages, definition }: LocalizedType): readonly string[] =>
  languages === undefined
    ? []
    : (definition.fields ?? []).filter(({ localized }) => localized === true).map(({ name }) => name);

/** The tags of the languages that records of a type are written in, the default first; empty: no field is localized. */
export const languagesOf = (type: LocalizedType): readonly string[] =>
  localizedFields(type).length > 0 ? (type.languages ?? []) : [];

/** The language of these that an address names, other than the default; undefined: it names none of them. */
export function otherLanguage([, ...others]: readonly string[], named: string | null): string | undefined {
  return others.find((tag) => tag.toLowerCase() === named?.toLowerCase());
}
