import { compileRule } from '../rules/compile-rule.ts';
import { neverRule } from '../rules/never-rule.ts';
import type { Rule } from '../rules/rule.ts';
import { RuleError, UnknownField } from '../rules/rule-error.ts';
import type { RuleScope } from '../rules/rule-scope.ts';
import type { Field } from './content-type.ts';
import type { FieldCondition } from './field-condition.ts';
import { ruleFault } from './rule-fault.ts';
import type { Report, TypeDraft } from './type-draft.ts';
import { typeScope } from './type-scope.ts';

interface ConditionSurroundings {
  readonly draft: TypeDraft;
  readonly field: ReadonlyMap<string, Field>;
  /** The names of fields that have errors of their own. */
  readonly broken: ReadonlySet<string>;
}

/**
 * The conditions of a type's fields (`show_if`), each behind those of the fields that it reads: what is not shown counts as empty. Every error
 * is reported.
 */
export function fieldConditions(around: ConditionSurroundings): readonly FieldCondition[] {
  const { draft, field } = around;
  const conditions = new Map<string, FieldCondition>();
  for (const [index, written] of (draft.written.fields ?? []).entries()) {
    const own = field.get(written?.name ?? '');
    if (own?.showIf === undefined || own.origin !== 'declared') continue;
    const report: Report = (_, ...fault) => draft.report(`fields[${index}].show_if`, ...fault);
    const rule = compiled(own, around, report);
    conditions.set(own.name, Object.freeze({ field: own, rule, required: own.showIf.required }));
  }
  return conditions.size === 0 ? none : Object.freeze(inOrder(conditions, draft));
}

const none: readonly FieldCondition[] = Object.freeze([]);

/** One that does not compile never holds. */
function compiled(own: Field, around: ConditionSurroundings, report: Report): Rule {
  const source = own.showIf?.source ?? '';
  try {
    const rule = Object.freeze(compileRule(source, scopeOf(around), 'none'));
    checkReads(own, rule, around, report);
    return rule;
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    if (!(error instanceof UnknownField && around.broken.has(error.field))) {
      const { message, remedy, details } = ruleFault(error);
      report('', message, remedy, details);
    }
    return neverRule(source);
  }
}

/** The fields of the record alone: nothing leads to other records, and private fields inside others have no name. */
function scopeOf({ draft: { singular, table }, field }: ConditionSurroundings): RuleScope {
  const nowhere: RuleScope = { type: '', table: '', field: () => undefined, fieldNames: [] };
  return typeScope(
    { singular, table, field, partitioned: false, showsPrivate: false },
    { tableOf: () => '', partitioned: () => false, scopeOf: () => nowhere },
  );
}

function checkReads(own: Field, { reads }: Rule, { field }: ConditionSurroundings, report: Report): void {
  const { auth, query, body, now, language, types } = reads;
  if (auth.size > 0 || query.size > 0 || body.size > 0 || now || language) {
    report('', 'whether a field is shown depends on the record alone', 'compare fields of the type with values');
  }
  if (types.size > 0) {
    report('', 'the related records are not known in a form', 'compare fields of the type itself');
  }
  for (const name of reads.fields) {
    const read = field.get(name);
    if (read === undefined) continue;
    if (read.private && !own.private) {
      report('', `it would reveal the private field "${name}"`, 'make this field private too');
    } else if (!read.writable) {
      report('', `"${name}" is not set by people`, 'compare fields that a form has');
    }
  }
}

/** Each behind those that it depends on; circles are reported. */
function inOrder(conditions: ReadonlyMap<string, FieldCondition>, draft: TypeDraft): readonly FieldCondition[] {
  const ordered: FieldCondition[] = [];
  const states = new Map<string, 'open' | 'done'>();
  const visit = (condition: FieldCondition, way: readonly string[]): void => {
    const { name } = condition.field;
    if (states.get(name) === 'done') return;
    if (states.get(name) === 'open') {
      reportCircle(draft, [...way.slice(way.indexOf(name)), name]);
      return;
    }
    states.set(name, 'open');
    for (const read of condition.rule.reads.fields) {
      const other = conditions.get(read);
      if (other !== undefined) visit(other, [...way, name]);
    }
    states.set(name, 'done');
    ordered.push(condition);
  };
  for (const condition of conditions.values()) visit(condition, []);
  return ordered;
}

function reportCircle({ written, report }: TypeDraft, names: readonly string[]): void {
  const [first] = names;
  const index = written.fields?.findIndex((field) => field?.name === first) ?? -1;
  const way = names.map((name) => `"${name}"`).join(' → ');
  report(`fields[${index}].show_if`, `it depends on itself: ${way}`, 'leave one of these conditions out');
}
