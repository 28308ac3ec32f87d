import type { ForeignRecord } from '../importers/importer.ts';
import { shortened } from '../wordpress/html-text.ts';
import { importedSlug } from '../wordpress/wordpress-slug.ts';
import { imageAt, type SiteAddress } from './ghost-files.ts';
import { type GhostRow, textOf, timeOf } from './ghost-tables.ts';

const longest = { name: 200, description: 5000, meta: 1000 } as const;

/** A tag as a category. */
export function tagRecord({ number, row }: GhostRow, at: SiteAddress): ForeignRecord {
  const name = textOf(row.name).trim() || textOf(row.slug) || 'Untitled';
  const description = textOf(row.description);
  const slug = importedSlug(textOf(row.slug), name);
  const createdAt = timeOf(row.created_at);
  const isCut = [...description].length > longest.description || [...name].length > longest.name;
  return {
    ...{ id: textOf(row.id), line: number, createdAt },
    values: {
      name: shortened(name, longest.name),
      ...(slug === undefined ? {} : { slug }),
      description: description === '' ? null : shortened(description, longest.description),
      feature_image: imageAt(textOf(row.feature_image) || textOf(row.image), at),
      meta_title: textOf(row.meta_title) || null,
      meta_description: textOf(row.meta_description) || null,
      accent_color: textOf(row.accent_color) || null,
      ...times(createdAt, timeOf(row.updated_at)),
    },
    remarks: isCut ? ['with a long name or description: cut'] : [],
    meta: slug === textOf(row.slug) ? {} : { slug: textOf(row.slug) },
  };
}

/** A record always has the times that this service keeps. */
export const times = (created: string | undefined, updated: string | undefined) => ({
  ...(created === undefined ? {} : { created_at: created }),
  ...(updated === undefined ? (created === undefined ? {} : { updated_at: created }) : { updated_at: updated }),
});
