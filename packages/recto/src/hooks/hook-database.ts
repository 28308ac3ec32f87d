import { isId } from '../base/ids.ts';
import { badRequest } from '../base/problem.ts';
import type { GetParameters, HookDatabase, ListParameters } from './content.ts';
import type { RecordCall, SendCall } from './record-call.ts';

/** The object through which code of a deployment reaches the content: `db.articles.list()`. */
export function hookDatabase(send: SendCall): HookDatabase {
  const system = database(send, true, {});
  // True because each name leads to the calls of a type, and whether there is one is found out by the call.
  return database(send, false, { asSystem: () => system }) as unknown as HookDatabase;
}

const database = (send: SendCall, asSystem: boolean, members: object): object =>
  new Proxy<Record<string, unknown>>(
    { __proto__: null, ...members },
    {
      get(made, name) {
        // It is no promise, though `await` asks.
        if (typeof name === 'symbol' || name === 'then') return undefined;
        made[name] ??= typeCalls(send, name, asSystem);
        return made[name];
      },
    },
  );

/** The calls of one type. A single type has no ids: its calls begin with the next argument. */
function typeCalls(send: SendCall, type: string, asSystem: boolean): object {
  const call = (request: Partial<RecordCall> & Pick<RecordCall, 'action'>): Promise<unknown> => {
    const sent = send({ type, id: null, search: '', payload: null, asSystem, ...request });
    const made = sent.then((text) => (text === null ? null : JSON.parse(text)));
    // A call that nobody awaits must not end the process when it fails.
    made.catch(() => undefined);
    return made;
  };
  return {
    list: (parameters: ListParameters = {}) => call({ action: 'list', search: searchOf(parameters) }),
    get: (first?: string | GetParameters, second: GetParameters = {}) =>
      typeof first === 'object' || first === undefined
        ? call({ action: 'get', search: searchOf(first ?? {}) })
        : call({ action: 'get', id: first, search: searchOf(second) }),
    create: (data: unknown) => call({ action: 'create', payload: jsonText(data) }),
    update: (first: unknown, second?: unknown) =>
      typeof first === 'string'
        ? call({ action: 'update', id: first, payload: jsonText(second) })
        : call({ action: 'update', payload: jsonText(first) }),
    delete: async (id: string) => {
      if (!isId(id)) throw badRequest('invalid_id', 'delete takes the id of a record.');
      await call({ action: 'delete', id });
    },
  };
}

function jsonText(data: unknown): string {
  const text: string | undefined = JSON.stringify(data);
  if (text === undefined || !text.startsWith('{'))
    throw badRequest('invalid_body', 'The data of a record is an object.');
  return text;
}

function searchOf(parameters: ListParameters | GetParameters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) search.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return search.toString();
}
