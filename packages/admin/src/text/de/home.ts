import type { Catalogue } from '../text.ts';

/** German texts of the home page. */
export const home: Catalogue['home'] = {
  title: 'Start',
  mine: 'Weiterschreiben',
  mineEmpty: 'Noch nichts. Was Sie schreiben, erscheint hier.',
  waiting: 'Wartet',
  waitingEmpty: 'Nichts wartet auf Sie.',
  drafts: { one: '{count} Entwurf', other: '{count} Entwürfe' },
  scheduled: { one: '{count} geplant', other: '{count} geplant' },
  pending: { one: '{count} Kommentar zu prüfen', other: '{count} Kommentare zu prüfen' },
  others: 'Letzte Änderungen anderer',
  othersEmpty: 'Noch hat niemand anderes etwas geändert.',
  broken: 'Braucht Aufmerksamkeit',
  webhooks: {
    one: '{count} Webhook wurde abgeschaltet, weil der Empfänger versagte',
    other: '{count} Webhooks wurden abgeschaltet, weil die Empfänger versagten',
  },
  jobs: { one: '{count} Auftrag ist gescheitert', other: '{count} Aufträge sind gescheitert' },
  untitled: 'Ohne Titel',
  gone: 'gelöscht',
  created: 'angelegt',
  updated: 'geändert',
  drafted: 'Entwurf gesichert',
  deleted: 'gelöscht',
  published: 'veröffentlicht',
  unpublished: 'zurückgezogen',
  restored: 'wiederhergestellt',
  by: 'von {name}',
  someone: 'dem Dienst',
  emptyTitle: 'Noch gibt es keine Inhalte',
  emptyText:
    'Inhalte haben Typen: Artikel, Autoren, Produkte. Beiträge und Seiten gibt es schon. Legen Sie einen eigenen Typ an, oder importieren Sie eine Website, die Sie haben.',
  emptyEditor: 'Noch gibt es keine Inhaltstypen. Ein Admin dieser Website kann einen anlegen.',
  newType: 'Inhaltstyp anlegen',
  import: 'Website importieren',
  new: 'Anlegen',
};
