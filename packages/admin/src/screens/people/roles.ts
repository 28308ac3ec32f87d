import type { RoleEntry } from '../../api/role-routes.ts';
import { type MessageKey, t } from '../../text/text.ts';

/** The roles that every site has, strongest first, with their names and what they may do. */
export const roles: readonly { readonly value: string; readonly label: MessageKey; readonly text: MessageKey }[] = [
  { value: 'admin', label: 'people.roleAdmin', text: 'people.roleAdminText' },
  { value: 'editor', label: 'people.roleEditor', text: 'people.roleEditorText' },
  { value: 'member', label: 'people.roleMember', text: 'people.roleMemberText' },
];

/** What people call a role: one of the site's own by its label, where that is known. */
export function roleLabel(role: string, own: readonly RoleEntry[] = []): string {
  const builtIn = roles.find(({ value }) => value === role);
  return builtIn === undefined ? (own.find(({ name }) => name === role)?.label ?? role) : t(builtIn.label);
}

/** What a role may do, in a sentence. */
export const roleText = (role: string): string =>
  t(roles.find(({ value }) => value === role)?.text ?? 'people.ownRoleText');
