import { nearestName } from '../base/nearest-name.ts';
import { truncate } from '../base/truncate.ts';
import { backRelationRemedy, modifierRemedy } from './foreign-spelling.ts';
import { lowered } from './lowered-operand.ts';
import { heldOf, type JsonOperand, jsonItems, kindNames, type OpenOperand } from './open-operand.ts';
import { RuleError, UnknownField } from './rule-error.ts';
import type { JsonContent, JsonMember, RuleField, RuleScope } from './rule-scope.ts';
import type {
  CheckedOperand,
  Hop,
  ManyStep,
  ParsedPath,
  PathPart,
  Place,
  RelatedRows,
  RelationStep,
  Span,
} from './rule-tree.ts';

/** Relations that a dotted path may follow. */
const mostSteps = 3;

/** Fields that a message lists where none is near. */
const mostListed = 12;

/** Where a path ended: the field that it names, and what goes on into its JSON. */
interface End {
  /** The relations up to the last one to many that the path goes on from; `steps` begin behind it. */
  readonly through: readonly Hop[];
  readonly steps: readonly RelationStep[];
  readonly part: PathPart;
  readonly field: Exclude<RuleField, { shape: 'unusable' }>;
  readonly rest: readonly PathPart[];
  /** Of JSON: what the path leads to in it. */
  readonly inside?: Inside;
}

/** A place inside a JSON value. */
interface Inside {
  /** What is known of the value there. */
  readonly member: JsonMember | undefined;
  /** Whether the path leads through a list, so that there are as many values as it has items. */
  readonly isMany: boolean;
}

/** What a field, a dotted path or one with `:isset` or `:length` reads. Throws a RuleError at the part that is wrong. */
export function openPath(path: ParsedPath, scope: RuleScope, source: string): OpenOperand {
  const end = follow(path, scope, source);
  const { through } = end;
  const { span } = path;
  if (through.length === 0) return openEnd(end, path, source);
  const inner = openEnd(end, path, source);
  if (inner.open !== 'many') return { open: 'many', through, inner, isIds: false, span };
  return { ...inner, through: [...through, ...inner.through] };
}

function openEnd(end: End, path: ParsedPath, source: string): OpenOperand {
  const { modifier, span } = path;
  if (modifier === null) return openValue(end, path);
  if (end.inside?.isMany === true && (modifier.name === 'isset' || modifier.name === 'length')) {
    const reason = `"${end.part.name}" is a list here: :${modifier.name} asks of a list as a whole, and ?= and its like of its items.`;
    throw new RuleError(reason, source, modifier.span);
  }
  switch (modifier.name) {
    case 'lower':
      return lowered(openValue(end, path), source);
    case 'isset':
      return { open: 'typed', operand: isset(end, path), span };
    case 'length':
      return { open: 'typed', operand: length(end, path, source), span };
    default:
      throw new RuleError(
        `A field has only :isset, :length and :lower. ${modifierRemedy(modifier.name, end.part.name)}`.trimEnd(),
        source,
        modifier.span,
      );
  }
}

function follow(path: ParsedPath, scope: RuleScope, source: string): End {
  let through: readonly Hop[] = [];
  let steps: readonly RelationStep[] = [];
  let current = scope;
  let [part, ...rest] = path.parts;
  for (;;) {
    const field = current.field(part.name);
    if (field === undefined) throw unknownField(part, current, source);
    if (field.shape === 'unusable') {
      throw new RuleError(`"${part.name}" cannot be read: ${field.reason}`, source, part.span);
    }
    const [next, ...after] = rest;
    if (field.shape === 'json') return { through, steps, part, field, rest, inside: goInside(field, rest, source) };
    if (next === undefined) return { through, steps, part, field, rest };
    if (field.shape === 'scalar') throw noWayOn(part, next, source);
    if (through.length + steps.length === mostSteps) {
      throw new RuleError(`A path follows at most ${mostSteps} relations.`, source, next.span);
    }
    current = field.target();
    if (field.shape === 'to_one') {
      steps = [...steps, { field: part.name, column: field.column, table: current.table, type: current.type }];
    } else {
      through = [...through, ...manyHops(steps, part, field)];
      steps = [];
    }
    [part, rest] = [next, after];
  }
}

/** Follows a path in a JSON value. Refuses what it cannot have, or what must not be read. */
function goInside(field: JsonContent, path: readonly PathPart[], source: string): Inside {
  let member: JsonMember | undefined = { ...field, member: 'json' };
  let isMany = false;
  for (const { name, span } of path) {
    const list = itemsOf(member);
    isMany ||= list !== undefined;
    member = memberNamed(list ?? member, name);
    if (member?.member === 'unusable') throw new RuleError(`"${name}" cannot be read: ${member.reason}`, source, span);
  }
  return { member, isMany };
}

const itemsOf = (member: JsonMember | undefined): JsonMember | undefined =>
  member?.member === 'json' ? member.items : undefined;

/** Undefined where anything may be inside. */
function memberNamed(member: JsonMember | undefined, name: string): JsonMember | undefined {
  switch (member?.member) {
    case undefined:
      return undefined;
    case 'json':
      return member.items === undefined
        ? member.inner?.(name)
        : { member: 'unusable', reason: 'it is inside a list of lists' };
    case 'scalar':
      return { member: 'unusable', reason: 'it is inside a plain value, which has nothing inside' };
    case 'unusable':
      return member;
  }
}

/** An error for a name that is no field, with the nearest one; `prefix` is what is written before it. */
export function unknownField(part: PathPart, scope: RuleScope, source: string, prefix = ''): UnknownField {
  const near = nearestName(part.name, scope.fieldNames);
  const listed = scope.fieldNames.slice(0, mostListed).join(', ');
  const more = scope.fieldNames.length > mostListed ? ', …' : '';
  const listing = near === undefined ? `Its fields are ${listed}${more}.` : `Did you mean "${prefix}${near}"?`;
  const remedy = backRelationRemedy(part.name) ?? listing;
  const reason = `There is no field "${truncate(part.name, 60)}" in "${scope.type}". ${remedy}`;
  return new UnknownField(reason, source, part.span, { type: scope.type, field: part.name });
}

function noWayOn(part: PathPart, next: PathPart, source: string): RuleError {
  const why = `"${part.name}" is a plain value: a path leads on from a relation or from a JSON field.`;
  return new RuleError(why, source, next.span);
}

function openValue(end: End, path: ParsedPath): OpenOperand {
  const { steps, part, field } = end;
  const { span } = path;
  switch (field.shape) {
    case 'scalar':
    case 'to_one': {
      const kind = field.shape === 'scalar' ? field.kind : 'text';
      const place = { steps, field: part.name, column: field.column };
      const held = field.held === undefined ? {} : { held: field.held };
      return { open: 'typed', operand: { node: 'column', kind, place, span }, ...held, span };
    }
    case 'json':
      return openJson(end, { steps, field: part.name, column: field.column }, span);
    case 'to_many':
      return { open: 'many', through: manyHops(steps, part, field), inner: idOf(field, span), isIds: true, span };
  }
}

function openJson({ steps, rest, inside }: End, place: Place, span: Span): OpenOperand {
  const path = rest.map(({ name }) => name);
  const { member, isMany } = inside ?? { member: undefined, isMany: false };
  if (!isMany && member?.member === 'scalar') {
    const operand = { node: 'json_value', kind: member.kind, place, path, span } as const;
    return { open: 'typed', operand, ...heldOf(member), span };
  }
  const items = itemsOf(member);
  const json: JsonOperand = { open: 'json', place, path, ...(items === undefined ? {} : { items }), span };
  if (!isMany) return json;
  // A relation to one on the way leads to as many records as any other: to one or none.
  const through = steps.map((step): Hop => ({ to: 'one', ...step }));
  const own = { ...json, place: { ...place, steps: [] } };
  return { open: 'many', through, inner: jsonItems(own, items ?? member), isIds: false, span };
}

/** The id of a related record. */
function idOf({ target }: ManyField, span: Span): OpenOperand {
  const id = target().field('id');
  const held = { ...(id?.shape === 'scalar' ? id.held : {}), relation: true } as const;
  const place = { steps: [], field: 'id', column: 'id' };
  return { open: 'typed', operand: { node: 'column', kind: 'text', place, span }, held, span };
}

type ManyField = Extract<RuleField, { shape: 'to_many' }>;

function manyStep(part: PathPart, field: ManyField): ManyStep {
  const { type, table, column, target, linkedBy } = field;
  const link = linkedBy === undefined ? {} : { link: { column: linkedBy, table: target().table } };
  return { field: part.name, type, table, column, ...link };
}

const manyHops = (steps: readonly RelationStep[], part: PathPart, field: ManyField): readonly Hop[] => [
  ...steps.map((step): Hop => ({ to: 'one', ...step })),
  { to: 'many', ...manyStep(part, field) },
];

const relatedRows = (steps: readonly RelationStep[], part: PathPart, field: ManyField): RelatedRows => ({
  steps,
  ...manyStep(part, field),
});

function isset({ steps, part, field, rest }: End, { span }: ParsedPath): CheckedOperand {
  if (field.shape === 'to_many') {
    return { node: 'related_isset', kind: 'boolean', related: relatedRows(steps, part, field), span };
  }
  const place = { steps, field: part.name, column: field.column };
  if (field.shape !== 'json') return { node: 'column_isset', kind: 'boolean', place, span };
  return { node: 'json_isset', kind: 'boolean', place, path: rest.map(({ name }) => name), span };
}

function length({ steps, part, field, rest }: End, { span }: ParsedPath, source: string): CheckedOperand {
  if (field.shape === 'to_many') {
    return { node: 'related_count', kind: 'integer', related: relatedRows(steps, part, field), span };
  }
  const place = { steps, field: part.name, column: field.column };
  if (field.shape === 'json') {
    return { node: 'json_length', kind: 'integer', place, path: rest.map(({ name }) => name), span };
  }
  if (field.shape === 'scalar' && field.kind === 'text') return { node: 'text_length', kind: 'integer', place, span };
  const what = field.shape === 'to_one' ? 'a relation to one record' : kindNames[field.kind];
  const reason = `"${part.name}" is ${what}: only text, JSON and relations to many records have a :length.`;
  throw new RuleError(reason, source, span);
}
