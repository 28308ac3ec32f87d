import type { Catalogue } from '../catalogue.ts';

/** German texts of the preview beside a form. */
export const preview: Catalogue['preview'] = {
  width: 'Breite der Seite',
  allWidth: 'Ganzer Platz',
  tablet: 'Tablet',
  phone: 'Telefon',
  release: 'Release',
  noRelease: 'Ohne Release',
  loading: 'Die Vorschau wird vorbereitet …',
  refused: 'Ihre Rolle erstellt keine Vorschauen dieses Eintrags.',
  failed: 'Die Vorschau kann gerade nicht vorbereitet werden. Schließen Sie sie und öffnen Sie sie noch einmal.',
  share: 'Teilen',
  shareTitle: 'Vorschau teilen',
  shareLead: 'Mit dem Link sehen Leute ohne Konto diesen Eintrag mit seinem Entwurf, und sonst nichts.',
  label: 'Für wen er ist',
  labelHelp: 'Das lesen nur Sie und Admins.',
  labelMissing: 'Sagen Sie, für wen der Link ist: Daran finden Sie ihn wieder.',
  time: 'Gilt für',
  days: { one: '{count} Tag', other: '{count} Tage' },
  make: 'Link erstellen',
  link: 'Link',
  links: 'Gültige Links',
  until: 'bis {time}',
  end: 'Beenden',
  endLink: 'Link „{label}“ beenden',
  ended: 'Der Link „{label}“ ist beendet.',
};
