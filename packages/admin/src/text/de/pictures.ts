import type { Catalogue } from '../catalogue.ts';

/** German texts of pictures of other sites. */
export const pictures: Catalogue['pictures'] = {
  far: {
    one: 'Ein Bild einer anderen Website wird als Adresse angezeigt.',
    other: '{count} Bilder anderer Websites werden als Adressen angezeigt.',
  },
  label: 'Bilder anderer Websites',
  fetch: { one: 'Bild holen', other: '{count} Bilder holen' },
  fetching: { one: 'Das Bild wird geholt …', other: 'Bild {at} von {count} wird geholt …' },
  progress: 'Geholte Bilder',
  stop: 'Anhalten',
  notFetched: '{address}: {reason}',
  fetched: {
    one: 'Das Bild ist jetzt in der Mediathek.',
    other: '{count} Bilder sind jetzt in der Mediathek.',
  },
};
