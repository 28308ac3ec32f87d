import { isTable, type Table } from '../../values/json-table.ts';
import type { LeftOut } from '../importers/importer.ts';
import { userType } from './strapi-fields.ts';
import { type StrapiTables, settingOf, textOf } from './strapi-tables.ts';

const permissionType = 'plugin::users-permissions.permission';
const roleType = 'plugin::users-permissions.role';

const endpoints = { find: 'list', findOne: 'get', create: 'create', update: 'update', delete: 'delete' } as const;
type Action = keyof typeof endpoints;

/** What the roles of the users may do. */
export interface Rights {
  /** Which roles may do what: their names by action, such as `api::article.article.find`. */
  readonly roles: ReadonlyMap<string, ReadonlySet<string>>;
  /** Why what the role Authenticated may do is not for members; undefined: it is for them. */
  readonly notForMembers: string | undefined;
}

/** Whether the role Authenticated may do anything with content. */
export const hasMembers = ({ roles }: Rights): boolean =>
  [...roles].some(([action, names]) => action.startsWith('api::') && names.has('authenticated'));

/** The rights that an export has. `members`: what was chosen of who they are for; undefined: nothing. */
export function rightsIn(tables: StrapiTables, members: 'yes' | 'no' | undefined): Rights {
  return { roles: rolesIn(tables), notForMembers: notForMembers(tables, members) };
}

/** Here, who registers is a member, and so is everybody who is imported: also who was less in Strapi. */
function notForMembers(tables: StrapiTables, members: 'yes' | 'no' | undefined): string | undefined {
  if (members === 'yes') return undefined;
  if (members === 'no') return 'the plan says that members may not';
  const advanced = tables.settings.get('plugin_users-permissions_advanced');
  if (settingOf(advanced, 'allow_register') === false) return 'in Strapi, nobody could register';
  if (!['', 'authenticated'].includes(textOf(settingOf(advanced, 'default_role'))))
    return 'in Strapi, who registered got another role';
  if (!tables.allLeadTo(userType, 'role', ['type', 'authenticated'])) return 'in Strapi, some users had another role';
  return undefined;
}

function rolesIn(tables: StrapiTables): Rights['roles'] {
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
    const roles = rights.roles.get(`${uid}.${action}`) ?? new Set<string>();
    if (roles.has('public')) return 'public';
    if (roles.has('authenticated') && rights.notForMembers === undefined) return 'member';
    if (roles.has('authenticated'))
      leftOut.push({
        place: `${uid} ${action}`,
        why: `The role Authenticated may, but ${rights.notForMembers}. Here everybody who registers and every imported user is a member, so only admins may use it: "--plan --set members=yes" has members use it.`,
      });
    const others = [...roles].filter((name) => name !== 'authenticated');
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
  if (isClosed && leftOut.length === 0)
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
