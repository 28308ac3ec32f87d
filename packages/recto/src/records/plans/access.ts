import { type Caller, isAuthenticated } from '../../base/caller.ts';
import { forbidden, type Problem, unauthorized } from '../../base/problem.ts';
import type { AccessLevel } from '../../definition/content-type.ts';

/** Whether a caller passes an access level (service specification, section 5.2). Nobody passes `none`. */
export function mayPass(level: AccessLevel, caller: Caller): boolean {
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
export function requireAccess(level: AccessLevel, caller: Caller): void {
  if (!mayPass(level, caller)) throw accessProblem(level, caller);
}

function accessProblem(level: AccessLevel, caller: Caller): Problem {
  if (level === 'none') return forbidden('access_denied', 'This endpoint is closed.');
  if (!isAuthenticated(caller)) return unauthorized('authentication_required', 'Sign in to use this endpoint.');
  return forbidden('insufficient_role', `This endpoint is for the role "${level}".`);
}
