import { type Caller, publicCaller } from '../base/caller.ts';
import { nearestName } from '../base/nearest-name.ts';
import { badRequest, notFound, Problem } from '../base/problem.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import type { Answer } from '../records/answers/answer.ts';
import type { Records } from '../records/records.ts';
import type { RecordCall } from './record-call.ts';

/** Whose rights a call has. */
export interface CallRights {
  readonly caller: Caller;
  /** For `asSystem()`. */
  readonly system: Caller;
}

/** Carries out a call by the routes that everybody has: the public ones as the caller, the admin's as the service. */
export async function callRecords(records: Records, rights: CallRights, call: RecordCall): Promise<string | null> {
  const type = typeOf(records.types, call.type);
  const { asSystem: admin, search, id, action } = call;
  const caller = admin ? rights.system : publicCaller(rights.caller);
  const isSingle = type.kind === 'single';
  const request = { type, admin, caller, search } as const;
  if (isSingle && action !== 'get' && action !== 'update')
    throw badRequest('single_type', `${type.singular} is a single type: it takes get and update.`);
  if (!isSingle && id === null && (action === 'get' || action === 'update'))
    throw badRequest('invalid_id', `${action} takes the id of a ${type.singular}.`);
  const own = isSingle ? null : id;
  switch (action) {
    case 'list':
      return textOf(await records.list(type, admin ? 'admin' : 'list', caller, search));
    case 'get':
      return found(async () => records.get({ type, view: admin ? 'admin' : 'get', caller, id: own, search }));
    case 'create':
      return textOf((await records.create({ ...request, payload: payloadOf(call) })).answer);
    case 'update':
      return textOf(await records.update({ ...request, id: own, payload: payloadOf(call), ifMatch: null }));
    case 'delete':
      if (id === null) throw notFound();
      await records.delete({ ...request, id, ifMatch: null });
      return null;
  }
}

/** `blogPosts` is `blog-posts`. */
function typeOf({ all }: ContentTypes, name: string): ContentType {
  const written = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const names = new Map(all.map((type) => [type.kind === 'single' ? type.singular : type.plural, type]));
  const type = names.get(name) ?? names.get(written);
  if (type !== undefined) return type;
  const near = nearestName(written, names.keys());
  throw badRequest('unknown_type', `There is no content type ${name}.${near === undefined ? '' : ` Is it ${near}?`}`);
}

async function found(get: () => Promise<Answer>): Promise<string | null> {
  try {
    return textOf(await get());
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

// True because `hookDatabase` takes nothing but objects.
const payloadOf = ({ payload }: RecordCall) => JSON.parse(payload ?? '{}') as Readonly<Record<string, unknown>>;

const textOf = ({ body }: Answer): string => (typeof body === 'string' ? body : new TextDecoder().decode(body));
