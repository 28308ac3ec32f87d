import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import type { MessageKey } from '../../text/text.ts';
import type { Endpoint } from './definition.ts';

/** A call of a type's API that can be tried. */
export interface ApiCall {
  readonly name: Endpoint | 'adminList' | 'adminGet';
  readonly label: MessageKey;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, with `{id}` for a record. */
  readonly path: string;
  readonly hasBody: boolean;
}

/** Types that ship with the product have addresses of their own. */
const ownAddress = /^(posts|pages|comments|media)$/;

/** The calls that a type answers. */
export function callsOf({ kind, singular, plural, definition }: ContentTypeInfo): readonly ApiCall[] {
  const admin = ownAddress.test(plural) ? `/admin/${plural}` : `/admin/cms/${plural}`;
  if (kind === 'single') {
    const path = `/cms/${singular}`;
    return [
      { name: 'get', label: 'types.endpointGet', method: 'GET', path, hasBody: false },
      { name: 'update', label: 'types.endpointUpdate', method: 'PUT', path, hasBody: true },
    ];
  }
  const root = ownAddress.test(plural) ? `/${plural}` : `/cms/${plural}`;
  const isSimple = definition.api_restful === false;
  const write = (method: ApiCall['method'], simple: string, path: string): Pick<ApiCall, 'method' | 'path'> =>
    isSimple ? { method: 'POST', path: `${root}${simple}` } : { method, path };
  return [
    { name: 'list', label: 'types.endpointList', method: 'GET', path: root, hasBody: false },
    { name: 'get', label: 'types.endpointGet', method: 'GET', path: `${root}/{id}`, hasBody: false },
    { name: 'create', label: 'types.endpointCreate', ...write('POST', '/create', root), hasBody: true },
    { name: 'update', label: 'types.endpointUpdate', ...write('PUT', '/{id}/update', `${root}/{id}`), hasBody: true },
    {
      name: 'delete',
      label: 'types.endpointDelete',
      ...write('DELETE', '/{id}/delete', `${root}/{id}`),
      hasBody: false,
    },
    { name: 'adminList', label: 'types.callAdminList', method: 'GET', path: admin, hasBody: false },
    { name: 'adminGet', label: 'types.callAdminGet', method: 'GET', path: `${admin}/{id}`, hasBody: false },
  ];
}

/** A body to begin with: the fields that must be sent. */
export function sampleBody({ fields }: ContentTypeInfo): string {
  const needed = fields.filter(({ origin, must_be_sent }) => origin === 'declared' && must_be_sent);
  return JSON.stringify(
    Object.fromEntries(needed.map(({ name, field_type }) => [name, sampleValue(field_type)])),
    null,
    2,
  );
}

function sampleValue(fieldType: string): unknown {
  switch (fieldType) {
    case 'integer':
    case 'float':
      return 0;
    case 'boolean':
      return false;
    case 'list':
    case 'blocks':
      return [];
    case 'group':
    case 'json':
      return {};
    default:
      return '';
  }
}

/** What was chosen for a call. */
export interface CallInput {
  readonly origin: string;
  readonly id: string;
  /** A query string, without `?`. */
  readonly query: string;
  readonly body: string;
  readonly isSignedIn: boolean;
}

export const pathOf = ({ path }: ApiCall, { id, query }: Pick<CallInput, 'id' | 'query'>): string => {
  const address = path.replace('{id}', encodeURIComponent(id));
  return query === '' ? address : `${address}?${new URLSearchParams(query)}`;
};

/** A text in single quotes, for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call for a terminal. The token stands for one of the person's own. */
export function curlOf(call: ApiCall, input: CallInput): string {
  return [
    `curl${call.method === 'GET' ? '' : ` -X ${call.method}`}`,
    ...(input.isSignedIn ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...(call.hasBody ? [`-H 'Content-Type: application/json'`, `-d ${quoted(input.body)}`] : []),
    quoted(`${input.origin}/api/v1${pathOf(call, input)}`),
  ].join(' \\\n  ');
}

/** The call as a line of the client. */
export function clientLineOf(call: ApiCall, type: ContentTypeInfo, { id, query, body }: CallInput): string {
  const name = type.kind === 'single' ? type.singular : type.plural;
  const member = /^[a-z][a-z0-9]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  const target = call.name === 'adminList' || call.name === 'adminGet' ? `recto.admin${member}` : `recto${member}`;
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const options = query === '' ? '' : JSON.stringify(parameters);
  const given = (...all: readonly string[]): string => all.filter((each) => each !== '').join(', ');
  const key = type.kind === 'single' ? '' : JSON.stringify(id);
  switch (call.name) {
    case 'list':
    case 'adminList':
      return `await ${target}.list(${options});`;
    case 'get':
    case 'adminGet':
      return `await ${target}.get(${given(key, options)});`;
    case 'create':
      return `await ${target}.create(${body});`;
    case 'update':
      return `await ${target}.update(${given(key, body)});`;
    case 'delete':
      return `await ${target}.delete(${key});`;
  }
}
