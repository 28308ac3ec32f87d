import type { Rule } from '../rules/rule.ts';
import { isTable } from '../values/json-table.ts';
import { type ContentType, endpointNames, type Field } from './content-type.ts';
import type { FieldDefinition, ItemDefinition } from './definition-file.ts';
import type { DefinitionSource } from './definition-source.ts';
import type { StructureDefinition } from './field-type.ts';
import type { Languages } from './languages/languages.ts';
import { hiddenOrders } from './public-orders.ts';
import { innerFields } from './structure/structure-items.ts';
import type { Report, TypeDraft, WrittenField } from './type-draft.ts';

// The end of the check. Whatever the checks before it have let through, a rule that is not in the compiled type would be no
// rule, and a field that is not there would be neither private nor checked. Nothing here is found unless one of them has a hole.

const remedy = 'check what it refers to; if that is correct, please report this as a bug in Recto';

/** Reports each definition without a compiled type. `whole` are those that were read, with extensions merged. */
export function checkSources(
  files: readonly DefinitionSource[],
  whole: readonly DefinitionSource[],
  reporterOf: (source: DefinitionSource) => Report,
): void {
  const read = new Set(whole.flatMap((source) => [source, source.extendedBy]));
  const extended = new Set(whole.flatMap(({ extendedBy, builtIn }) => (extendedBy === undefined ? [] : [builtIn])));
  for (const file of files) {
    // A type of the product that is extended has the same protocols.
    if (read.has(file) || (file.builtIn !== undefined && extended.has(file.builtIn))) continue;
    reporterOf(file)('', 'this definition was not compiled', remedy);
  }
}

/** Reports what a definition says and its compiled type does not do. */
export function checkCompiled(draft: TypeDraft, type: ContentType | undefined, languages: Languages): void {
  const { written, whole, report } = draft;
  // What the check of its shape takes something out of is a copy.
  if (type === undefined || type.definition !== written || !Object.is(written, whole)) {
    report('', 'the content type does not contain all of the definition', remedy);
    return;
  }
  checkDeclared(draft, type, languages);
  for (const name of endpointNames) checkEndpoint(name, draft, type);
  for (const { column } of hiddenOrders(type)) {
    report('protocols', `the order would show what "${column}" holds, which is hidden`, remedy);
  }
  for (const { rule, parameter } of type.visible) {
    const rules = [rule, ...(parameter?.choices.values() ?? [])];
    if (rules.some((one) => one?.uncompiled === true)) {
      report('protocols', 'the records that a protocol hides would not be hidden', remedy);
    }
  }
}

/** Fields and protocols. */
function checkDeclared({ written, report }: TypeDraft, type: ContentType, { several }: Languages): void {
  for (const [index, field] of (written.fields ?? []).entries()) {
    const { option, message } = fieldFault(field, type, several) ?? {};
    if (message !== undefined) report(`fields[${index}]${option}`, message, remedy);
  }
  if ((type.uniqueSets?.length ?? 0) !== (written.unique?.length ?? 0)) {
    report('unique', 'not every set of fields is unique', remedy);
  }
  const active = new Set(type.protocols.map(({ protocol }) => protocol.name));
  for (const [index, entry] of (written.protocols ?? []).entries()) {
    const name = typeof entry === 'string' ? entry : entry?.name;
    if (name === undefined || !active.has(name)) {
      report(`protocols[${index}]`, 'the type does not implement this protocol', remedy);
    }
  }
}

/** What the compiled type does not have of a field. */
function fieldFault(
  field: WrittenField | undefined,
  type: ContentType,
  several: boolean,
): { readonly option: string; readonly message: string } | undefined {
  const made = type.field.get(field?.name ?? '');
  if (made === undefined || !isMade(made, field, several)) return { option: '', message: 'the type has no such field' };
  if (!isConditionCompiled(field?.show_if, made, type))
    return { option: '.show_if', message: 'this condition is not applied' };
  const isWhole =
    countInside(field) === innerFields(made).length && Bun.deepEquals(privateInside(field), madePrivate(made));
  return isWhole ? undefined : { option: '', message: 'the type does not have all that is inside the field' };
}

function isConditionCompiled(source: string | undefined, field: Field, { conditions }: ContentType): boolean {
  const made = conditions.find((condition) => condition.field === field)?.rule;
  return made?.source === source && made?.uncompiled !== true;
}

const isMade = (made: Field, field: WrittenField | undefined, several: boolean): boolean =>
  made.origin === 'declared' &&
  made.private === (field?.private ?? false) &&
  made.localized === (several && field?.localized === true);

/** The fields that are written inside a field, at all levels, in the order in which they are resolved. */
function writtenInside(
  field: StructureDefinition | undefined,
): readonly (FieldDefinition | ItemDefinition | undefined)[] {
  const { fields = [], item, blocks = [] } = field ?? {};
  const own = [...fields, ...(item === undefined ? [] : [item]), ...blocks.flatMap((block) => block?.fields ?? [])];
  return own.flatMap((inner) => [inner, ...writtenInside(inner)]);
}

const countInside = (field: StructureDefinition | undefined): number => writtenInside(field).length;

const privateInside = (field: StructureDefinition | undefined): readonly boolean[] =>
  writtenInside(field).map((inner) => inner?.private ?? false);

const madePrivate = (field: Field): readonly boolean[] => innerFields(field).map((inner) => inner.field.private);

function checkEndpoint(name: (typeof endpointNames)[number], { whole, report }: TypeDraft, type: ContentType): void {
  const api = isTable(whole) ? whole.api : undefined;
  const written = isTable(api) ? api[name] : undefined;
  if (written === undefined || !isTable(written)) return;
  const { access, filter, filterAuth, fields } = type.endpoints[name];
  const check = (option: string, holds: boolean): void => {
    if (written[option] !== undefined && !holds)
      report(`api.${name}.${option}`, `this ${option} is not applied`, remedy);
  };
  const isCompiled = (rule: Rule | null, option: string): boolean =>
    rule !== null && rule.uncompiled !== true && rule.source === written[option];
  check('access', Bun.deepEquals(access, written.access));
  check('filter', isCompiled(filter, 'filter'));
  check('filter_auth', isCompiled(filterAuth, 'filter_auth'));
  const listed = Array.isArray(written.fields) ? written.fields : [];
  check('fields', fields !== null && Bun.deepEquals(fields, new Set(['id', ...listed])));
}
