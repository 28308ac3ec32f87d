import { permissions } from '../../api/permissions.svelte.ts';
import { createQuery } from '../../api/query.svelte.ts';
import { type RoleEntry, roleRoutes } from '../../api/role-routes.ts';
import { session } from '../../app/session.svelte.ts';
import { roleLabel, roles } from './roles.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The roles that can be chosen for an account or a token. Call it while a component is set up. Reactive. */
export function createRoleOptions() {
  const found = createQuery(() => ({
    key: ['roles', 'all'],
    load: (signal) => roleRoutes.all(signal),
    paused: !session.isInstallationAdmin,
  }));
  const own = $derived<readonly RoleEntry[]>(found.data ?? []);
  const all = $derived<readonly Option[]>([
    ...roles.slice(0, 2).map(({ value }) => ({ value, label: roleLabel(value) })),
    ...own.map(({ name, label }) => ({ value: name, label })),
    { value: 'member', label: roleLabel('member') },
  ]);
  return {
    /** `current` is offered too, whatever it is: a tenant's admin does not see the site's own roles. */
    including(current: string): readonly Option[] {
      const limits = permissions.limits;
      const offered =
        limits === undefined
          ? all
          : [{ value: limits.role, label: limits.label }, ...all.filter(({ value }) => value === 'member')];
      return current === '' || offered.some(({ value }) => value === current)
        ? offered
        : [{ value: current, label: roleLabel(current) }, ...offered];
    },
    label: (role: string): string => roleLabel(role, own),
  };
}
