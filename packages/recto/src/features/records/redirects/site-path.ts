import Type from 'typebox';
import type { ContentType } from '../../../definition/content-type.ts';

const usual = '/{plural}/{slug}';

const name = '\\{plural\\}';

/** Whole segments come before the slug: an address that begins with `//` would be one of another host. */
const pattern = `^(?:/(?:[A-Za-z0-9._~-]|${name})+)*/(?:[A-Za-z0-9._~-]|${name})*\\{slug\\}(?:[A-Za-z0-9._~/-]|${name})*$`;

/** The parameter that says where a site shows records. */
export const sitePathSchema = Type.String({
  default: usual,
  maxLength: 200,
  pattern,
  description: 'Where the site shows a record, with `{slug}`, and `{plural}` for the name of its type.',
});

/** The path of a record on the site. */
export const sitePath = (path: string, { plural }: ContentType, slug: string): string =>
  path.replaceAll('{plural}', () => plural).replace('{slug}', () => slug);
