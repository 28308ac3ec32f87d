import Type from 'typebox';
import { system } from '../../base/caller.ts';
import { isTable } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { enumField } from '../fields/enum-field.ts';
import { defineProtocol, type ProtocolOptions } from '../protocol.ts';
import { checkValueLabels } from '../screen-text.ts';
import { valueLabels } from '../screen-text-schema.ts';
import { protocolField } from './protocol-field.ts';
import { statusColumn as column, scheduledStatus } from './scheduled-status.ts';
import {
  moveFault,
  readTransitions,
  requireBeginning,
  rolesIn,
  transitionFaults,
  transitionsSchema,
} from './transitions.ts';

const usualPublished = 'published';
const usual: readonly string[] = ['draft', usualPublished, 'archived'];

/**
 * A state, one of the option `values`. A new record is in `default`, the first of them unless the option says another,
 * or in the one that is sent. With the option `transitions`, an update may move it only as that says, and only by the roles that
 * it names. With `schedule`,
 * editors set a time at which it moves to that state by itself; `published` names the state of records that are published. With
 * `by_language`, each language has a state of its own, and public routes show what is published.
 * `value_labels` are what people read for the states.
 */
export const statusable = defineProtocol({
  name: 'statusable',
  options: Type.Object(
    {
      values: Type.Optional(Type.Array(Type.String())),
      default: Type.Optional(Type.String()),
      transitions: Type.Optional(transitionsSchema()),
      schedule: Type.Optional(Type.String()),
      published: Type.Optional(Type.String()),
      value_labels: Type.Optional(valueLabels()),
      by_language: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  checkOptions(options) {
    const wrong = enumField.checkOptions({ enum_values: valuesOf(options) });
    if (wrong.length > 0) return wrong.map(({ message }) => ({ option: 'values', message }));
    const values = new Set(valuesOf(options));
    const strange = (names: readonly string[]) => names.filter((name) => !values.has(name));
    const faults = ['default', 'schedule', 'published'].flatMap((option) =>
      strange(texts([options[option]])).map((name) => ({ option, name })),
    );
    const moves = transitionFaults(readTransitions(options.transitions) ?? {}, values);
    const named = [
      ...faults.map(({ option, name }) => ({ option, message: `"${name}" is not one of the values` })),
      ...moves.map((message) => ({ option: 'transitions', message })),
      ...languageFaults(options),
    ];
    if (!isTable(options.value_labels)) return named;
    const labelled: { readonly option: string; readonly message: string }[] = [];
    checkValueLabels(options.value_labels, [...values], (option, message) => void labelled.push({ option, message }));
    return [...named, ...labelled];
  },
  fields: (options) => [
    protocolField(column, enumField, {
      writable: true,
      default: firstOf(options),
      options: { enum_values: valuesOf(options) },
      description: 'The state of the record.',
    }),
    ...[scheduleOf(options)?.field].filter((field) => field !== undefined),
  ],
  publishedState(options) {
    const value = publishedOf(options);
    return value === undefined ? undefined : { column, value };
  },
  byLanguage: (options) => (options.by_language === true ? [column, ...texts([scheduleOf(options)?.update.at])] : []),
  visible(options) {
    const value = publishedOf(options);
    if (options.by_language !== true || value === undefined) return undefined;
    return { condition: `${column} = ${JSON.stringify(value)}`, hiddenFrom: 'public' };
  },
  scheduled(options) {
    const update = scheduleOf(options)?.update;
    const to = update?.sets[column];
    const allowed = readTransitions(options.transitions);
    if (update === undefined || allowed === undefined || typeof to !== 'string') return update;
    const isMove = (from: string): boolean => moveFault(allowed, { from, to, caller: system }) === undefined;
    return { ...update, from: { [column]: valuesOf(options).filter(isMove) } };
  },
  onCreate: (moment, options) => scheduleOf(options)?.values(moment, null) ?? {},
  onUpdate: (moment, current, options) => scheduleOf(options)?.values(moment, current) ?? {},
  namedRoles: (options) =>
    rolesIn(readTransitions(options.transitions) ?? {}).map(({ path, role }) => ({
      option: `transitions.${path}`,
      role,
    })),
  async storedFaults(moment, current, _, options) {
    // What is brought in from elsewhere is taken as it is.
    if (moment.restored === true) return [];
    const { caller } = moment;
    const allowed = readTransitions(options.transitions);
    const errorOf = (from: unknown, to: string) => moveFault(allowed, { from, to, caller });
    const to = moment.changed[column];
    if (current === null) requireBeginning(allowed, { first: firstOf(options), status: to, caller });
    // A language that nobody has written yet is in the default state.
    const from = current === null ? undefined : (current[column] ?? firstOf(options));
    const message = typeof to !== 'string' ? undefined : errorOf(from, to);
    const faults = message === undefined ? [] : [{ field: column, code: 'transition_not_allowed', message }];
    return [...faults, ...(scheduleOf(options)?.faults(moment, current, errorOf) ?? [])];
  },
});

const publishedOf = (options: ProtocolOptions): string | undefined =>
  texts([options.published])[0] ?? valuesOf(options).find((name) => name === usualPublished);

/** What is published is what public routes show of a language. One that nobody has written yet is in the default state. */
function languageFaults(options: ProtocolOptions): readonly { readonly option: string; readonly message: string }[] {
  if (options.by_language !== true) return [];
  const published = publishedOf(options);
  const message =
    published === undefined
      ? 'none of the values is that of published records'
      : firstOf(options) === published
        ? `a language would be ${published} before anybody has written in it`
        : undefined;
  return message === undefined ? [] : [{ option: 'by_language', message }];
}

const scheduleOf = ({ schedule }: ProtocolOptions) =>
  typeof schedule === 'string' ? scheduledStatus(schedule) : undefined;

const texts = (values: readonly (JsonValue | undefined)[]): readonly string[] =>
  values.filter((value) => typeof value === 'string');

const valuesOf = ({ values }: ProtocolOptions): readonly string[] => (Array.isArray(values) ? texts(values) : usual);

/** The state of a new record. */
const firstOf = (options: ProtocolOptions): string | undefined => texts([options.default])[0] ?? valuesOf(options)[0];
