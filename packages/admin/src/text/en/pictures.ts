import { english } from '../english.ts';

/** English texts of pictures of other sites. */
export const pictures = english('pictures', {
  far: {
    one: 'A picture of another site is shown as its address.',
    other: '{count} pictures of other sites are shown as their addresses.',
  },
  label: 'Pictures of other sites',
  fetch: { one: 'Fetch the picture', other: 'Fetch {count} pictures' },
  fetching: { one: 'Fetching the picture…', other: 'Fetching picture {at} of {count}…' },
  progress: 'Pictures fetched',
  stop: 'Stop',
  notFetched: '{address}: {reason}',
  fetched: { one: 'The picture is in the library now.', other: '{count} pictures are in the library now.' },
} as const);
