import type { Rule } from '../rules/rule.ts';
import type { Field } from './field-type.ts';

/** On what it depends whether a field is shown where people edit. */
export interface FieldCondition {
  readonly field: Field;
  readonly rule: Rule;
  /** Whether the field must have a value where it is shown. */
  readonly required: boolean;
}
