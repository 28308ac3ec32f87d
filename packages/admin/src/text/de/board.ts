import type { Catalogue } from '../catalogue.ts';

/** German texts of the board. */
export const board: Catalogue['board'] = {
  moved: '{title} ist jetzt „{status}“.',
  move: '{title} verschieben',
  moveTo: 'Verschieben nach',
  help: 'Ziehen Sie eine Karte in eine andere Spalte, drücken Sie darauf Alt mit ← oder →, oder nehmen Sie ihr Menü.',
  more: 'Mehr zeigen',
  moreOf: 'Mehr zeigen: {status}',
  empty: 'Nichts',
  needsRoles: 'Das bleibt, wo es ist: Von „{from}“ nach „{to}“ verschiebt es nur die Rolle {roles}.',
  needsAdmin: 'Das bleibt, wo es ist: Von „{from}“ nach „{to}“ verschiebt es nur ein Administrator.',
  needsPublish: 'Das bleibt, wo es ist: Ihre Rolle veröffentlicht nicht und nimmt nichts Veröffentlichtes zurück.',
  noWay: 'Das bleibt, wo es ist: „{from}“ wird nicht mehr geändert.',
  otherWay: 'Das bleibt, wo es ist: Was „{from}“ ist, wird nicht gleich „{to}“, sondern {next}.',
  onlyRoles: 'Nur für {roles}',
  onlyPublishers: 'Ihre Rolle veröffentlicht nicht',
  notFromHere: 'Nicht von dort, wo es ist',
  undoneBut: {
    one: 'Rückgängig gemacht, bis auf einen Eintrag, der seitdem geändert wurde: {titles}',
    other: 'Rückgängig gemacht, bis auf {count} Einträge, die seitdem geändert wurden: {titles}',
  },
};
