import { type Caller, isAuthenticated } from '../../base/caller.ts';
import { forbidden, type Problem, unauthorized } from '../../base/problem.ts';
import { type Access, type ContentType, type EndpointName, isRoleList } from '../../definition/content-type.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import type { Rule } from '../../rules/rule.ts';

/** Whether a caller passes an access level (service specification, section 5.2), or has one of the roles. Nobody passes `none`; admins pass every list. */
export function mayPass(level: Access, caller: Caller): boolean {
  if (isRoleList(level)) return isAuthenticated(caller) && (caller.role === 'admin' || level.includes(caller.role));
  switch (level) {
    case 'none':
      return false;
    case 'public':
      return true;
    case 'member':
      return isAuthenticated(caller);
    case 'admin':
      return isAuthenticated(caller) && caller.role === 'admin';
  }
}

/** Throws 403 for a closed endpoint, 401 for an anonymous caller who would have to sign in, 403 for a caller without the role. */
export function requireAccess(level: Access, caller: Caller): void {
  if (!mayPass(level, caller)) throw accessProblem(level, caller);
}

function accessProblem(level: Access, caller: Caller): Problem {
  if (level === 'none') return forbidden('access_denied', 'This endpoint is closed.');
  if (!isAuthenticated(caller)) return unauthorized('authentication_required', 'Sign in to use this endpoint.');
  const roles = isRoleList(level) ? [...level, 'admin'] : [level];
  return forbidden(
    'insufficient_role',
    `This endpoint is for the role ${roles.map((role) => `"${role}"`).join(' or ')}.`,
  );
}

const none: ReadonlySet<string> = new Set();

/**
 * The rules that decide on a request through a view; a rejected write also evaluates those of `get`, to choose between 403 and 404.
 * The rights `all` and `none` are no rules. `authenticated`: whether those count that are for callers who are signed in.
 */
export function viewRules(
  type: ContentType,
  view: ReadView,
  action: EndpointName,
  authenticated = true,
): readonly Rule[] {
  if (view.audience === 'admin') {
    const right = view.rights.of(type).rows[action];
    return typeof right === 'string' ? [] : [right];
  }
  const { filter, filterAuth } = type.endpoints[action];
  return [filter, authenticated ? filterAuth : null].filter((rule) => rule !== null);
}

/** The names that a view's rules read as `@request.query.*`, which its requests may therefore carry. */
export function ruleParameters(type: ContentType, view: ReadView, action: EndpointName): ReadonlySet<string> {
  const rules = viewRules(type, view, action);
  if (rules.every(({ reads }) => reads.query.size === 0)) return none;
  return new Set(rules.flatMap(({ reads }) => [...reads.query]));
}
