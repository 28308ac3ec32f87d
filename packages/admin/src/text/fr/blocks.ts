import type { Catalogue } from '../catalogue.ts';

/** French texts of lists of blocks. */
export const blocks: Catalogue['blocks'] = {
  copyNamed: 'Copier {name}',
  copy: 'Copier',
  search: 'Rechercher des blocs',
  copyAll: 'Tout copier',
  paste: 'Coller des blocs',
  copied: { one: 'Le bloc est copié.', other: '{count} blocs sont copiés.' },
  notCopied: 'Le navigateur ne permet pas à cette page de copier.',
  pasted: { one: 'Un bloc a été collé.', other: '{count} blocs ont été collés.' },
  pasteKey:
    'Sélectionnez l’en-tête d’un bloc et utilisez le raccourci pour coller : le navigateur ne permet pas à cette page de lire le presse-papiers.',
  none: 'Le presse-papiers ne contient pas de blocs.',
  unknown: 'Rien n’a été collé : « {field} » n’a pas de bloc « {name} ».',
  unknownField: 'Rien n’a été collé : le bloc « {block} » n’a pas de champ « {name} » ici.',
  otherValue: 'Rien n’a été collé : le champ « {name} » du bloc « {block} » a ici une autre sorte de valeur.',
  tooMany: {
    one: 'Rien n’a été collé : un bloc au plus est permis.',
    other: 'Rien n’a été collé : {count} blocs au plus sont permis.',
  },
};
