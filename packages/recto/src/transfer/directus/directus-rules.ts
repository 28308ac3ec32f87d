import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { tableOf, textsOf } from './directus-schema.ts';

/** A filter that no rule says. */
export class Refused extends Error {}

/** What the fields of a filter are called here; undefined: no rule can ask for it. A relation leads on. */
export interface RuleFields {
  place(name: string): { readonly name: string; readonly type: string; readonly inside?: () => RuleFields } | undefined;
}

const comparing: Readonly<Record<string, string>> = { _eq: '=', _lt: '<', _lte: '<=', _gt: '>', _gte: '>=' };

/** A filter as a rule; undefined: it admits everything. Throws a `Refused`. */
export function ruleOf(filter: JsonValue | undefined, fields: RuleFields): string | undefined {
  const terms = andTerms(filter).map((term) => termRule(term, fields, ''));
  return terms.length === 0 ? undefined : terms.join(' && ');
}

/** The conditions of a filter that hold all at once. */
export function andTerms(filter: JsonValue | undefined): readonly Table[] {
  if (filter === undefined || filter === null) return [];
  if (!isTable(filter)) throw new Refused('it is no filter.');
  return Object.entries(filter).flatMap(([name, value]): readonly Table[] => {
    if (name !== '_and') return [{ [name]: value }];
    if (!Array.isArray(value)) throw new Refused('its _and is no list.');
    return value.flatMap((each: JsonValue) => andTerms(each));
  });
}

function termRule(term: Table, fields: RuleFields, prefix: string): string {
  const [[name, value] = ['', null]] = Object.entries(term);
  if (name === '_or') {
    if (!Array.isArray(value) || value.length === 0) throw new Refused('its _or is no list.');
    const parts = value.map((each: JsonValue) => {
      const all = andTerms(each).map((inner) => termRule(inner, fields, prefix));
      if (all.length === 0) throw new Refused('a part of its _or admits everything.');
      return all.length === 1 ? String(all[0]) : `(${all.join(' && ')})`;
    });
    return `(${parts.join(' || ')})`;
  }
  const place = fields.place(name);
  if (place === undefined || !isTable(value)) throw new Refused(`it asks for ${name}.`);
  const path = `${prefix}${place.name}`;
  const conditions = Object.entries(value).map(([operator, wanted]) => {
    if (operator.startsWith('_') && !['_and', '_or', '_some', '_none'].includes(operator))
      return condition(path, place.type, operator, wanted);
    if (place.inside === undefined || operator.startsWith('_')) throw new Refused(`it asks for ${name} ${operator}.`);
    return termRule({ [operator]: wanted }, place.inside(), `${path}.`);
  });
  if (conditions.length === 0) throw new Refused(`it says nothing of ${name}.`);
  return conditions.join(' && ');
}

/** Null equals nothing there but by `_null`, and `_neq` holds for it neither. */
function condition(path: string, type: string, operator: string, wanted: JsonValue): string {
  if (wanted === '$CURRENT_USER') {
    if (operator !== '_eq') throw new Refused(`no rule says ${operator} of the caller.`);
    // Nobody is not the owner of what has no owner.
    return `@request.auth.id != null && ${path} = @request.auth.id`;
  }
  const sign = comparing[operator];
  if (sign !== undefined) return `${path} ${sign} ${operand(wanted, type)}`;
  switch (operator) {
    case '_neq':
      return `${path} != null && ${path} != ${operand(wanted, type)}`;
    case '_null':
      return wanted === true ? `${path} = null` : refuse(operator);
    case '_nnull':
      return wanted === true ? `${path} != null` : refuse(operator);
    case '_in':
      return Array.isArray(wanted) && wanted.length > 0
        ? `${path} in [${wanted.map((each: JsonValue) => literal(each, type)).join(', ')}]`
        : refuse(operator);
    default:
      return refuse(operator);
  }
}

function refuse(operator: string): never {
  throw new Refused(`no rule says ${operator}.`);
}

const operand = (value: JsonValue, type: string): string => (value === '$NOW' ? '@now' : literal(value, type));

function literal(value: JsonValue, type: string): string {
  if (type === 'relation' || type === 'media') throw new Refused('it names a record.');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value === '' || value.startsWith('$') || /[\p{Cc}\\]/u.test(value))
    throw new Refused(`it compares with ${JSON.stringify(value)}.`);
  return JSON.stringify(value);
}

/** The fields that a permission lets through; undefined: all of them. */
export function fieldsIn({ fields }: Table): readonly string[] | undefined {
  const names = textsOf(fields);
  return names.includes('*') ? undefined : names;
}

/** Whether a permission changes or checks what is written. */
export const bindsWrites = ({ validation, presets }: Table): boolean =>
  Object.keys(tableOf(validation)).length > 0 || Object.keys(tableOf(presets)).length > 0;
