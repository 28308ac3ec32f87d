import type { Role } from '../../api/admin-routes.ts';
import type { MessageKey } from '../../text/text.ts';

/** The roles, strongest first, with their names and what they may do. */
export const roles: readonly { readonly value: Role; readonly label: MessageKey; readonly text: MessageKey }[] = [
  { value: 'admin', label: 'people.roleAdmin', text: 'people.roleAdminText' },
  { value: 'editor', label: 'people.roleEditor', text: 'people.roleEditorText' },
  { value: 'member', label: 'people.roleMember', text: 'people.roleMemberText' },
];

export const roleLabel = (role: string): MessageKey =>
  roles.find(({ value }) => value === role)?.label ?? 'people.roleMember';

export const roleText = (role: string): MessageKey =>
  roles.find(({ value }) => value === role)?.text ?? 'people.roleMemberText';
