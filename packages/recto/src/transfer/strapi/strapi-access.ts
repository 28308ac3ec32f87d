import { isTable, type Table } from '../../values/json-table.ts';
import type { LeftOut } from '../importers/importer.ts';
import { type StrapiTables, textOf } from './strapi-tables.ts';

const permissionType = 'plugin::users-permissions.permission';
const roleType = 'plugin::users-permissions.role';

const endpoints = { find: 'list', findOne: 'get', create: 'create', update: 'update', delete: 'delete' } as const;
type Action = keyof typeof endpoints;

/** Which roles of the users may do what: names of roles by action, such as `api::article.article.find`. */
export type Rights = ReadonlyMap<string, ReadonlySet<string>>;

/** The rights that an export has. */
export function rightsIn(tables: StrapiTables): Rights {
  const rights = new Map<string, Set<string>>();
  for (const { document } of tables.documents(permissionType)) {
    for (const { id, data } of tables.rows(permissionType, document)) {
      const [role] = tables.targets(permissionType, id, 'role');
      const name = role === undefined ? '' : textOf(tables.row(roleType, role.ref)?.type);
      if (name === '' || data.enabled === false) continue;
      const action = textOf(data.action);
      rights.set(action, (rights.get(action) ?? new Set()).add(name));
    }
  }
  return rights;
}

/** Who may use the endpoints of a type. What neither visitors nor accounts may do in Strapi is for admins. */
export function accessOf(
  uid: string,
  isSingle: boolean,
  rights: Rights,
): { readonly api: Table; readonly leftOut: readonly LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const of = (action: Action): string => {
    const roles = rights.get(`${uid}.${action}`) ?? new Set<string>();
    if (roles.has('public')) return 'public';
    if (roles.has('authenticated')) return 'member';
    const others = [...roles];
    if (others.length > 0)
      leftOut.push({
        place: `${uid} ${action}`,
        why: `The roles ${others.join(', ')} alone may: accounts become members, so only admins may use it.`,
      });
    return 'admin';
  };
  // Of a single type, `find` gets the record.
  const api = isSingle
    ? { get: { access: of('find') }, update: { access: of('update') } }
    : Object.fromEntries(
        // True because these are the names of the object above.
        (Object.keys(endpoints) as Action[]).map((action) => [endpoints[action], { access: of(action) }]),
      );
  const isClosed = Object.values(api).every(({ access }) => access === 'admin');
  if (isClosed)
    leftOut.push({
      place: uid,
      why: 'Neither visitors nor accounts may use it in Strapi, so its routes are for admins: set access under [api.list] and [api.get] to open it.',
    });
  return { api, leftOut };
}

/** The same with drafts: nobody reads what is not published by the public routes. */
export function publishedAlone(api: Table): Table {
  const filter = 'status = "published"';
  return Object.fromEntries(
    Object.entries(api).map(([name, endpoint]) => [
      name,
      (name === 'list' || name === 'get') && isTable(endpoint) ? { ...endpoint, filter } : endpoint,
    ]),
  );
}
