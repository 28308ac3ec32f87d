import { builtInRoleNames } from '../base/caller.ts';
import { profileNames } from '../definition/profile/profile-fields.ts';
import { accountsTable } from '../definition/profile/profile-type.ts';
import type { RuleField, RuleScope } from '../rules/rule-scope.ts';
import { idDomain, tenantDomain, wordDomain } from '../rules/value-domain.ts';

const text = (column: string): RuleField => ({ shape: 'scalar', kind: 'text', column });
const time = (column: string): RuleField => ({ shape: 'scalar', kind: 'datetime', column });

/** What an account shows, and a filter can name. */
const fields: ReadonlyMap<string, RuleField> = new Map<string, RuleField>([
  ['id', { shape: 'scalar', kind: 'text', column: 'id', held: { domain: idDomain } }],
  ['email', text('email')],
  ['username', text('username')],
  ['disabled', { shape: 'scalar', kind: 'boolean', column: 'disabled' }],
  ['verified', { shape: 'scalar', kind: 'boolean', column: 'verified' }],
  ['tenant_id', { shape: 'scalar', kind: 'text', column: 'tenant_id', held: { domain: tenantDomain } }],
  ...profileNames.map((name): [string, RuleField] => [name, text(name)]),
  ['profile_public', { shape: 'scalar', kind: 'boolean', column: 'profile_public' }],
  ['invited_at', time('invited_at')],
  ['created_at', time('created_at')],
  ['updated_at', time('updated_at')],
]);

const table = accountsTable;

/** What a filter of accounts can name, where there are these roles. */
export function accountScope(roles: readonly string[] = builtInRoleNames): RuleScope {
  const role: RuleField = { shape: 'scalar', kind: 'text', column: 'role', held: { domain: wordDomain(roles) } };
  return Object.freeze({
    type: 'user',
    table,
    field: (name: string) => (name === 'role' ? role : fields.get(name)),
    fieldNames: ['role', ...fields.keys()],
    roles,
  });
}
