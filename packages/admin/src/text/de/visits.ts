import type { Catalogue } from '../catalogue.ts';

/** German texts of what has changed since somebody was here. */
export const visits: Catalogue['visits'] = {
  new: 'Neu',
  changed: 'Geändert',
  note: {
    one: 'Ein Eintrag wurde seit Ihrem letzten Besuch ({when}) geändert.',
    other: '{count} Einträge wurden seit Ihrem letzten Besuch ({when}) geändert.',
  },
  show: 'Diese zeigen',
  showAll: 'Alle zeigen',
  seeAll: 'Alle als gesehen markieren',
  seen: 'Alle Änderungen sind als gesehen markiert.',
};
