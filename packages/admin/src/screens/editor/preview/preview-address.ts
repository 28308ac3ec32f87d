import type { Values } from '../../../editing/editing-state.ts';

/** The service's own page, for types that name none. */
const ownPage = '/recto-preview';

/** What an address may have besides values of the record. */
export interface AddressParts {
  /** The tag of the language that is written. */
  readonly language: string;
  /** Undefined: there is none, so that only pages which need none are shown. */
  readonly token: string | undefined;
}

/**
 * The page that shows a record, by the type's `preview_url` or else that of the service. Undefined: the record lacks what its address is
 * made of, or the page needs a token and there is none.
 */
export function previewAddress(
  template: string | undefined,
  values: Values,
  { language, token }: AddressParts,
): string | undefined {
  if (!template) return token === undefined ? undefined : `${ownPage}#${token}`;
  return filled(template, { ...values, language, token });
}

/** Whether a page is that of the service, which has no origin that could be named. */
export const isOwnPage = (template: string | undefined): boolean => !template;

/** The page where readers find a published record. Undefined: none is known, such as one that is there for previews alone. */
export function siteAddress(template: string | undefined, values: Values, language: string): string | undefined {
  if (!template || template.includes('{token}')) return undefined;
  return filled(template, { ...values, language });
}

function filled(template: string, values: Values): string | undefined {
  let isComplete = true;
  const address = template.replaceAll(/\{(id|slug|language|token)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value);
    isComplete = false;
    return '';
  });
  return isComplete ? address : undefined;
}
