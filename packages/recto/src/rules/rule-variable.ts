import { builtInRoleNames } from '../base/caller.ts';
import { nearestName } from '../base/nearest-name.ts';
import { calculationRemedy, valueModifierRemedy, variableRemedy } from './foreign-spelling.ts';
import type { HeldValues } from './held-values.ts';
import { lowered } from './lowered-operand.ts';
import type { OpenOperand } from './open-operand.ts';
import { RuleError } from './rule-error.ts';
import { unknownField } from './rule-path.ts';
import type { Checking, RuleField, RuleScope } from './rule-scope.ts';
import type { AuthName, ParsedOperand, PathPart, Span } from './rule-tree.ts';
import { idDomain, tenantDomain, wordDomain } from './value-domain.ts';

const variables = [
  '@request.auth.id',
  '@request.auth.role',
  '@request.auth.tenant_id',
  '@request.auth.email',
  '@request.auth.username',
  '@request.auth.verified',
  '@request.language',
  '@request.body',
  '@request.query',
  '@now',
  '@today',
  '@yesterday',
  '@tomorrow',
];

/** A body field has a plain name; a query parameter may have dots in it (`__meta.color`). */
const bodyName = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const queryName = /^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$/;

/** None of them is ever an empty text. */
const named: HeldValues = { refusal: (value) => (value === '' ? 'Must not be empty.' : undefined) };

const authValues = {
  id: { domain: idDomain },
  role: { domain: wordDomain(builtInRoleNames) },
  tenant_id: { domain: tenantDomain },
  email: named,
  username: named,
  verified: {},
} as const satisfies Record<AuthName, HeldValues>;

function openAuth(name: AuthName, span: Span, { roles }: RuleScope): OpenOperand {
  const held = name === 'role' && roles !== undefined ? { domain: wordDomain(roles) } : authValues[name];
  const kind = name === 'verified' ? 'boolean' : 'text';
  return { open: 'typed', operand: { node: 'auth', kind, name, span }, held, span };
}

/** Null where the service has no languages; else one of them, so that a tag which is none of them is an error. */
function openLanguage(span: Span, { languages }: RuleScope): OpenOperand {
  const [otherwise = null] = languages ?? [];
  const held = languages === undefined ? {} : { held: { domain: wordDomain(languages) } };
  return { open: 'typed', operand: { node: 'language', kind: 'text', otherwise, span }, ...held, span };
}

type ParsedVariable = Extract<ParsedOperand, { node: 'variable' }>;

/** The variables that are times: days after that of the request; null: its time. */
const days: Readonly<Record<string, number | null>> = { '@now': null, '@today': 0, '@yesterday': -1, '@tomorrow': 1 };

function openModified(variable: ParsedVariable, modifier: PathPart, checking: Checking): OpenOperand {
  const { source } = checking;
  const open = openVariable({ ...variable, modifier: null }, checking);
  if (modifier.name === 'lower') return lowered(open, source);
  if (modifier.name === 'isset' && open.open === 'sent') {
    const { from, name, span } = open;
    return { open: 'typed', operand: { node: 'was_sent', kind: 'boolean', from, name, span }, span };
  }
  const remedy =
    open.open === 'sent'
      ? 'A value that was sent has only :isset, :lower, and in a body :changed.'
      : `${variable.name} has only :lower. ${valueModifierRemedy(modifier.name, variable.name)}`;
  throw new RuleError(remedy, source, modifier.span);
}

/** What a variable reads (service specification, section 5.3). Throws a RuleError for an unknown one. */
export function openVariable(variable: ParsedVariable, checking: Checking): OpenOperand {
  const { source } = checking;
  const { name, modifier, shift, span } = variable;
  if (modifier !== null) return openModified(variable, modifier, checking);
  if (Object.hasOwn(days, name)) {
    return { open: 'typed', operand: { node: 'now', kind: 'datetime', day: days[name] ?? null, shift, span }, span };
  }
  if (shift !== 0) throw new RuleError(`${calculationRemedy} ${name} is no time.`, source, span);
  switch (name) {
    case '@request.language':
      return openLanguage(span, checking.scope);
    case '@request.auth.id':
      return openAuth('id', span, checking.scope);
    case '@request.auth.role':
      return openAuth('role', span, checking.scope);
    case '@request.auth.tenant_id':
      return openAuth('tenant_id', span, checking.scope);
    case '@request.auth.email':
      return openAuth('email', span, checking.scope);
    case '@request.auth.username':
      return openAuth('username', span, checking.scope);
    case '@request.auth.verified':
      return openAuth('verified', span, checking.scope);
  }
  const [root, from, ...rest] = name.split('.');
  const sent = rest.join('.');
  if (root === '@request' && from === 'body') {
    if (bodyName.test(sent)) return openBody(sent, span, checking);
    throw new RuleError('Write @request.body.NAME with the name of one field of the body.', source, span);
  }
  if (root === '@request' && from === 'query') {
    if (queryName.test(sent)) return { open: 'sent', from, name: sent, span };
    throw new RuleError('Write @request.query.NAME with the name of a query parameter.', source, span);
  }
  throw new RuleError(`There is no such variable. ${unknownRemedy(name)}`, source, span);
}

function unknownRemedy(name: string): string {
  const foreign = variableRemedy(name);
  if (foreign !== undefined) return foreign;
  const near = nearestName(name, variables);
  if (near !== undefined) return `Did you mean ${near}?`;
  return 'The variables are @request.auth.id, @request.auth.role, @request.auth.tenant_id, @request.auth.email, @request.auth.username, @request.auth.verified, @request.language, @request.body.NAME, @request.query.NAME, @now, @today, @yesterday and @tomorrow.';
}

function openBody(name: string, span: Span, { scope, body, source }: Checking): OpenOperand {
  if (body === 'none') {
    throw new RuleError('Requests to this endpoint have no body: only create and update do.', source, span);
  }
  const field = scope.field(name);
  if (field === undefined && body === 'payload') {
    throw unknownField({ name, span }, scope, source, '@request.body.');
  }
  const held = heldInBody(field);
  return { open: 'sent', from: 'body', name, ...(held === undefined ? {} : { held }), span };
}

/** A body's value for a field of the type: any other value would be rejected. */
function heldInBody(field: RuleField | undefined): HeldValues | undefined {
  switch (field?.shape) {
    case 'scalar':
      return { ...field.held, kind: field.kind };
    case 'to_one':
      return { ...field.held, kind: 'text' };
    case 'to_many':
      return { isList: true };
    default:
      return undefined;
  }
}
