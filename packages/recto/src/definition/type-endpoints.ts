import { builtInRoleNames } from '../base/caller.ts';
import { compileRule } from '../rules/compile-rule.ts';
import { neverRule } from '../rules/never-rule.ts';
import type { Rule } from '../rules/rule.ts';
import { RuleError, UnknownField } from '../rules/rule-error.ts';
import type { RuleScope } from '../rules/rule-scope.ts';
import {
  type Access,
  type AccessLevel,
  type Endpoint,
  type EndpointName,
  endpointNames,
  type Field,
} from './content-type.ts';
import type { EndpointDefinition } from './definition-file.ts';
import { closest } from './definition-structure.ts';
import { ruleFault } from './rule-fault.ts';
import type { TypeDraft } from './type-draft.ts';

/** Service specification, section 5.2. */
const defaultAccess: Readonly<Record<EndpointName, AccessLevel>> = {
  list: 'public',
  get: 'public',
  create: 'member',
  update: 'member',
  delete: 'admin',
};

/** Endpoints whose answers are reads of what is stored, and so can be remembered. */
const cacheable: ReadonlySet<EndpointName> = new Set(['list', 'get']);

/** Endpoints whose requests have a body, which is the payload. */
const withBody: ReadonlySet<EndpointName> = new Set(['create', 'update']);

/** Endpoints that a single type has routes for (service specification, section 4.4). */
const ofSingles: ReadonlySet<EndpointName> = new Set(['get', 'update']);

/** What the check of a type's endpoints looks at. */
export interface EndpointSurroundings {
  readonly draft: TypeDraft;
  readonly field: ReadonlyMap<string, Field>;
  readonly scope: RuleScope;
  readonly broken: BrokenFields;
}

/** By type, the names of its fields that have errors of their own: references to them are not reported again. */
export type BrokenFields = ReadonlyMap<string, ReadonlySet<string>>;

/** A type's endpoints, rules compiled; every error is reported. */
export function typeEndpoints(around: EndpointSurroundings): Readonly<Record<EndpointName, Endpoint>> {
  const { written, kind, report } = around.draft;
  if (kind === 'single') {
    for (const name of endpointNames) {
      if (written.api?.[name] === undefined || ofSingles.has(name)) continue;
      report(`api.${name}`, `a single type has no ${name} route`, 'leave it out; there are api.get and api.update');
    }
  }
  const make = (name: EndpointName): Endpoint => typeEndpoint(name, written.api?.[name] ?? {}, around);
  return Object.freeze({
    list: make('list'),
    get: make('get'),
    create: make('create'),
    update: make('update'),
    delete: make('delete'),
  } satisfies Record<EndpointName, Endpoint>);
}

const closed: Endpoint = Object.freeze({ access: 'none', filter: null, filterAuth: null, cache: false, fields: null });

function typeEndpoint(name: EndpointName, written: EndpointDefinition, around: EndpointSurroundings): Endpoint {
  const { kind, report } = around.draft;
  if (kind === 'single' && !ofSingles.has(name)) return closed;
  if (written.cache === true && !cacheable.has(name)) {
    report(
      `api.${name}.cache`,
      `a ${name} is a write, which no cache can answer`,
      'leave it out; list and get have it',
    );
  }
  return Object.freeze({
    access: accessOf(written.access, name, around),
    filter: compiled(written.filter, name, 'filter', around),
    filterAuth: compiled(written.filter_auth, name, 'filter_auth', around),
    cache: written.cache ?? false,
    fields: whitelist(written.fields, `api.${name}.fields`, around),
  });
}

/** Roles that there are not are reported; until then nobody may. */
function accessOf(
  written: EndpointDefinition['access'],
  name: EndpointName,
  { draft, scope: { roles = builtInRoleNames } }: EndpointSurroundings,
): Access {
  if (written === undefined) return defaultAccess[name];
  if (typeof written === 'string') return written;
  if (written.length === 0) draft.report(`api.${name}.access`, 'names no role', 'write access = ["editor"], or "none"');
  const unknown = written.filter((role) => !roles.includes(role));
  for (const role of unknown) {
    const place = `api.${name}.access[${written.indexOf(role)}]`;
    draft.report(place, `there is no role "${role}"`, closest(role, roles, 'there are'));
  }
  return unknown.length > 0 || written.length === 0 ? 'none' : Object.freeze([...written]);
}

/** Null where none is written; one that does not compile never holds. */
function compiled(
  source: string | undefined,
  endpoint: EndpointName,
  option: 'filter' | 'filter_auth',
  around: EndpointSurroundings,
): Rule | null {
  if (source === undefined) return null;
  try {
    return Object.freeze(compileRule(source, around.scope, withBody.has(endpoint) ? 'payload' : 'none'));
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    if (!followsFrom(error, around.broken)) reportRule(error, `api.${endpoint}.${option}`, around.draft);
    return neverRule(source);
  }
}

function reportRule(error: RuleError, path: string, { report }: TypeDraft): void {
  const { message, remedy, details } = ruleFault(error);
  report(path, message, remedy, details);
}

/** Whether an error is that a field is missing which has been reported already. */
const followsFrom = (error: RuleError, broken: BrokenFields): boolean =>
  error instanceof UnknownField && broken.get(error.type)?.has(error.field) === true;

function whitelist(
  names: readonly string[] | undefined,
  path: string,
  { draft, field, broken }: EndpointSurroundings,
): ReadonlySet<string> | null {
  if (names === undefined) return null;
  const listed = new Set(['id']);
  for (const [index, name] of names.entries()) {
    const place = `${path}[${index}]`;
    const found = field.get(name);
    if (found === undefined) {
      if (broken.get(draft.singular)?.has(name)) continue;
      draft.report(place, `there is no field "${name}"`, closest(name, [...field.keys()], 'there are'));
    } else if (found.type.secret) {
      draft.report(place, `"${name}" is a ${found.type.name}, which is never returned`, 'leave it out');
    } else if (found.private) {
      draft.report(
        place,
        `"${name}" is private, and public routes do not return it`,
        'leave it out, or make the field public',
      );
    } else {
      listed.add(name);
    }
  }
  return listed;
}
