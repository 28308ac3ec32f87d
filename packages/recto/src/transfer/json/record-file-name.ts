import type { ContentType, ContentTypes } from '../../definition/content-type.ts';

/** Records of one type, one JSON object a line (https://github.com/ndjson/ndjson-spec). */
export const recordFileEnding = '.ndjson';

/** The file of a type in an export, named like its address: `posts.ndjson`, `site-settings.ndjson`. */
export const recordFileName = ({ kind, singular, plural }: ContentType): string =>
  `${kind === 'single' ? singular : plural}${recordFileEnding}`;

/** The type with this singular or plural. */
export const typeNamed = ({ all }: ContentTypes, name: string): ContentType | undefined =>
  all.find(({ singular, plural }) => singular === name || plural === name);

/** For messages: the names that `typeNamed` knows. */
export const typeNames = ({ all }: ContentTypes): string =>
  all.map(({ kind, singular, plural }) => (kind === 'single' ? singular : plural)).join(', ');
