import type { Field } from './content-type.ts';
import { listParameters } from './list-parameters.ts';
import type { Report, TypeDraft, WrittenField } from './type-draft.ts';

/**
 * Columns that every table of SQLite (https://sqlite.org/rowidtable.html) or of PostgreSQL (section 5.6 of its manual)
 * has by itself. A type can go from one database to the other, so neither has a field of such a name.
 */
const systemColumns = ['rowid', 'oid', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'];

/** In a rule they are values (service specification, section 5.3), so a field of such a name could not be meant. SQLite reads two so too. */
const ruleLiterals = ['true', 'false', 'null'];

const reserved: ReadonlyMap<string, string> = new Map([
  ['id', 'the identifier that every record has'],
  // Every JavaScript object has it: a payload without it would look as if it had one.
  ['constructor', 'a name that programs cannot keep apart from an object’s own'],
  ...ruleLiterals.map((name): [string, string] => [name, 'a value in rules']),
  ...systemColumns.map((name): [string, string] => [name, 'a column that databases give every table']),
  ...listParameters.map((name): [string, string] => [name, 'a parameter of lists']),
]);

/** The names that no field can have in any type. */
export const reservedFieldNames: readonly string[] = [...reserved.keys()];

/** What a name looks like. */
export const nameShape = /^[a-z][a-z0-9_-]{0,49}$/;

/** Why no field inside another can have the name; undefined where it can. */
export const namesNoField = (name: string): string | undefined =>
  name === 'constructor' || ruleLiterals.includes(name) ? reserved.get(name) : undefined;

/** A field whose name can be used, and where it stands in the definition. */
export interface NamedField {
  readonly name: string;
  readonly written: WrittenField;
  readonly path: string;
}

/** A type's declared fields that have a name, and the names among them that cannot be used (all reported). */
export function namedFields(
  draft: TypeDraft,
  ofProtocols: readonly Field[],
  parameters: readonly string[] = [],
): NamedFields {
  const { written, report } = draft;
  const fields = new Map<string, NamedField>();
  const broken = new Set<string>();
  const taken = new Map([
    ...ofProtocols.map(({ name }): [string, string] => [name, 'a column of a protocol that the type uses']),
    ...parameters.map((name): [string, string] => [name, 'a parameter of lists']),
    ...reserved,
  ]);
  for (const [index, field] of (written.fields ?? []).entries()) {
    if (field?.name === undefined) continue;
    const { name } = field;
    const first = fields.get(name);
    const path = `fields[${index}]`;
    if (first !== undefined) {
      report(
        `${path}.name`,
        `the field "${name}" is already defined as ${first.path}`,
        'give each field its own name',
        {
          code: 'taken',
        },
      );
      continue;
    }
    fields.set(name, { name, written: field, path });
    if (!nameShape.test(name) || isTaken(name, taken, `${path}.name`, report)) broken.add(name);
  }
  return { fields, broken };
}

export interface NamedFields {
  readonly fields: ReadonlyMap<string, NamedField>;
  readonly broken: Set<string>;
}

function isTaken(name: string, taken: ReadonlyMap<string, string>, path: string, report: Report): boolean {
  const use = taken.get(name);
  if (use !== undefined)
    report(path, `the name "${name}" is taken: it is ${use}`, 'choose another name', { code: 'taken' });
  return use !== undefined;
}
