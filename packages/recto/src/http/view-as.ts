import type { Caller } from '../base/caller.ts';
import { badRequest, forbidden } from '../base/problem.ts';
import type { Operation } from './operation.ts';

/** The request header by which an admin reads what a role reads. */
export const viewAsHeader = 'Recto-View-As';

/** As names of roles are written; whether there is such a role is found out where its rights are asked for. */
const roleName = /^[a-z][a-z0-9_-]{0,49}$/;

/**
 * The caller with the role that the request names, for reads alone: an admin sees what that role would see of what they see themselves.
 * 403 for anybody else, and for a request that may change something; 400 for what is no name of a role.
 */
export function viewingAs(caller: Caller, { method, headers }: Request, { stores }: Pick<Operation, 'stores'>): Caller {
  const named = headers.get(viewAsHeader);
  if (named === null) return caller;
  const viewing = viewingNamed(caller, named);
  if ((method === 'GET' || method === 'HEAD') && stores !== true) return viewing;
  throw forbidden('read_only', `${viewAsHeader} is for reading: nothing can be changed as another role.`);
}

/** The same for a read, by the value of the header; null for none. */
export function viewingNamed(caller: Caller, named: string | null): Caller {
  if (named === null) return caller;
  if (caller.kind === 'anonymous' || caller.role !== 'admin') {
    throw forbidden('insufficient_role', `${viewAsHeader}: requires the role admin.`);
  }
  if (!roleName.test(named)) throw badRequest('invalid_role', `${viewAsHeader}: this is no name of a role.`);
  return { ...caller, role: named };
}
