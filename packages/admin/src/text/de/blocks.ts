import type { Catalogue } from '../catalogue.ts';

/** German texts of lists of blocks. */
export const blocks: Catalogue['blocks'] = {
  copyNamed: '{name} kopieren',
  copy: 'Kopieren',
  search: 'Blöcke suchen',
  copyAll: 'Alle kopieren',
  paste: 'Blöcke einfügen',
  copied: { one: 'Der Block ist kopiert.', other: '{count} Blöcke sind kopiert.' },
  notCopied: 'Der Browser lässt diese Seite nichts kopieren.',
  pasted: { one: 'Ein Block wurde eingefügt.', other: '{count} Blöcke wurden eingefügt.' },
  pasteKey:
    'Wählen Sie den Kopf eines Blocks und drücken Sie die Tasten zum Einfügen: Der Browser lässt diese Seite die Zwischenablage nicht lesen.',
  none: 'In der Zwischenablage sind keine Blöcke.',
  unknown: 'Nichts eingefügt: „{field}“ hat keinen Block „{name}“.',
  unknownField: 'Nichts eingefügt: Der Block „{block}“ hat hier kein Feld „{name}“.',
  otherValue: 'Nichts eingefügt: Das Feld „{name}“ des Blocks „{block}“ hat hier Werte anderer Art.',
  tooMany: {
    one: 'Nichts eingefügt: Es kann höchstens einen Block geben.',
    other: 'Nichts eingefügt: Es kann höchstens {count} Blöcke geben.',
  },
};
