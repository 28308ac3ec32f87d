/** What the address of a page that shows a record is made of. */
export interface AddressParts {
  readonly id: string;
  /** Null: the record has none. */
  readonly slug: string | null;
  readonly language: string;
  /** Only a place behind `#` has it: what stands there is sent to no server, and so gets into no log. */
  readonly token: string;
}

/** Where the service itself shows a record: a page for types that have none of their own. */
export const ownPage = '/recto-preview';

/**
 * The page that shows a record, by the type's `preview_url`; a path is one of `origin`. Undefined where the address lacks something: the
 * record has no slug, or, with `needsToken`, there is no place for the token.
 */
export function previewAddress(
  template: string | undefined,
  origin: string,
  parts: AddressParts,
  needsToken: boolean,
): string | undefined {
  if (template === undefined || (needsToken && !template.includes('{token}'))) return undefined;
  let isComplete = true;
  const address = template.replaceAll(/\{(id|slug|language|token)\}/g, (_, name: keyof AddressParts) => {
    const value = parts[name];
    if (value !== null && value !== '') return encodeURIComponent(value);
    isComplete = false;
    return '';
  });
  if (!isComplete) return undefined;
  return address.startsWith('/') ? `${origin}${address}` : address;
}

/** The service's own page with a preview. */
export const ownAddress = (origin: string, token: string): string => `${origin}${ownPage}#${token}`;
