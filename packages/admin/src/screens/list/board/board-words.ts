import '../../../text/en/board.ts';
import '../../../text/en/people.ts';
import { readableValue } from '../../../api/readable-name.ts';
import { localeCode, t } from '../../../text/text.ts';
import { roleLabel, roles } from '../../people/roles.ts';
import { type ListField, valueLabel } from '../data/list-fields.ts';
import type { MoveFault } from './move-fault.ts';

const listed = (words: readonly string[]): string =>
  new Intl.ListFormat(localeCode(), { type: 'disjunction' }).format(words);

/** What people call a role. The labels of a site's own roles are for admins to read, whom no transition stops. */
const nameOf = (role: string): string =>
  roles.some(({ value }) => value === role) ? roleLabel(role) : readableValue(role);

/** Why a card stays, in a sentence. */
export function faultSentence(fault: MoveFault, field: ListField, from: string, to: string): string {
  const names = { from: valueLabel(field, from), to: valueLabel(field, to) };
  switch (fault.kind) {
    case 'roles':
      return fault.roles.length === 0
        ? t('board.needsAdmin', names)
        : t('board.needsRoles', { ...names, roles: listed(fault.roles.map(nameOf)) });
    case 'publish':
      return t('board.needsPublish');
    case 'way':
      return fault.next.length === 0
        ? t('board.noWay', names)
        : t('board.otherWay', { ...names, next: listed(fault.next.map((next) => valueLabel(field, next))) });
  }
}

/** The same in a few words, for a menu or the head of a column. */
export function faultWords(fault: MoveFault): string {
  switch (fault.kind) {
    case 'roles':
      return t('board.onlyRoles', { roles: listed([...fault.roles.map(nameOf), roleLabel('admin')]) });
    case 'publish':
      return t('board.onlyPublishers');
    case 'way':
      return t('board.notFromHere');
  }
}
