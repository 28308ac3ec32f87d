import type { BlockDefinition } from './definition-file.ts';
import { type NamedField, nameShape, namesNoField } from './field-names.ts';
import type { FieldSurroundings } from './field-surroundings.ts';
import type { Field, InsideResolver, Part } from './field-type.ts';
import { checkScreenText, plainText } from './screen-text.ts';
import { blockMember } from './structure/structure-items.ts';
import type { Report, WrittenField } from './type-draft.ts';

/** Structured fields inside one another, the outermost included. */
export const deepestStructure = 5;

type ResolveField = (field: NamedField, around: FieldSurroundings) => Field | undefined;

/** The pages of the admin show pictures of their own origin alone. */
const ownPath = /^\/(?!\/)[^\s\\<>"'`{}]*$/;

/** Resolves what stands inside the field that `around` reports about; `resolve` resolves one field. */
export class InsideResolution implements InsideResolver {
  readonly #around: FieldSurroundings;
  readonly #resolve: ResolveField;

  constructor(around: FieldSurroundings, resolve: ResolveField) {
    this.#around = around;
    this.#resolve = resolve;
  }

  report(path: string, message: string, remedy: string): void {
    this.#around.report(path, message, remedy);
  }

  fields(path: string, written: readonly (WrittenField | undefined)[], reserved: readonly string[] = []): Field[] {
    const named = new Map<string, NamedField>();
    const broken = new Set<string>();
    for (const [index, field] of written.entries()) {
      if (field?.name === undefined) continue;
      const { name } = field;
      const own = `${path}[${index}]`;
      const first = named.get(name);
      const use = reserved.includes(name) ? 'a member of every block' : namesNoField(name);
      if (first !== undefined)
        this.report(`${own}.name`, `the field "${name}" is already defined as ${first.path}`, ownName);
      else named.set(name, { name, written: field, path: own });
      if (use !== undefined)
        this.report(`${own}.name`, `the name "${name}" is taken: it is ${use}`, 'choose another name');
      if (use !== undefined || !nameShape.test(name)) broken.add(name);
    }
    this.#checkFormer(path, written, [...named.keys()]);
    return [...named.values()].flatMap((field) => {
      const report = this.#reportAt(field.path);
      checkInner(field.written, report);
      const made = this.#resolve(field, this.#inside({ fields: named, broken }, report));
      return made === undefined || broken.has(field.name) ? [] : [made];
    });
  }

  item(path: string, written: WrittenField): Field | undefined {
    const report = this.#reportAt(path);
    checkInner(written, report);
    for (const option of ['required', 'default', 'private'] as const) {
      if (written[option] === undefined) continue;
      report(option, `${option} means nothing on the item of a list`, 'leave it out, or write it on the list');
    }
    const item = { name: '', written, path };
    return this.#resolve(item, this.#inside({ fields: new Map(), broken: new Set() }, report));
  }

  blocks(path: string, written: readonly (BlockDefinition | undefined)[]): readonly Part[] {
    const parts = new Map<string, Part>();
    for (const [index, block] of written.entries()) {
      if (block?.name === undefined) continue;
      const { name, label, description, image, renamed_from: renamedFrom, fields = [] } = block;
      const own = `${path}[${index}]`;
      checkScreenText(label, 'label', this.#reportAt(own));
      if (image !== undefined && !ownPath.test(image))
        this.report(
          `${own}.image`,
          'is no path on this service',
          'write one that begins with /, such as "/media/quote.png"',
        );
      if (parts.has(name))
        this.report(`${own}.name`, `there is a block "${name}" already`, 'give each block its own name');
      const members = this.fields(`${own}.fields`, fields, [blockMember, 'id']);
      const field = new Map(members.map((each) => [each.name, each]));
      const former = renamedFrom === undefined ? {} : { renamedFrom };
      parts.set(name, { name, ...former, label: plainText(label), description, fields: members, field, item: null });
    }
    this.#checkFormer(path, written, [...parts.keys()]);
    return [...parts.values()];
  }

  #inside(named: FieldSurroundings['named'], report: Report): FieldSurroundings {
    const depth = this.#around.depth + 1;
    return { ...this.#around, named, report, depth };
  }

  #reportAt(place: string): Report {
    return (path, ...fault) => this.#around.report(path === '' ? place : `${place}.${path}`, ...fault);
  }

  /** Two names that lead to one, or a former name that something still has. */
  #checkFormer(
    path: string,
    written: readonly ({ readonly name?: string; readonly renamed_from?: string } | undefined)[],
    names: readonly string[],
  ): void {
    const claimed = new Set<string>();
    for (const [index, one] of written.entries()) {
      const former = one?.renamed_from;
      if (former === undefined) continue;
      if (names.includes(former) || claimed.has(former)) {
        const message = `"${former}" is still a name here, or is given twice`;
        this.report(`${path}[${index}].renamed_from`, message, 'leave renamed_from out, or remove the other');
      }
      claimed.add(former);
    }
  }
}

const ownName = 'give each field its own name';

/** What only a column or a junction table can do. */
function checkInner(written: WrittenField, report: Report): void {
  for (const option of ['unique', 'indexed', 'immutable'] as const) {
    if (written[option] !== true) continue;
    report(option, `a field inside another cannot be ${option}`, 'leave it out');
  }
  if (written.localized === true) {
    report('localized', 'a field inside another cannot be localized by itself', 'write localized on the whole field');
  }
  if (written.field_type === 'media' && written.multiple === true) {
    const remedy = 'write a list: field_type = "list" with item = { field_type = "media" }';
    report('multiple', 'a media field inside another holds one file', remedy);
  }
  const kind = written.relation?.relation_type;
  if (kind !== undefined && kind !== 'many_to_one') {
    const remedy = 'write relation_type = "many_to_one", in a list for several records';
    report('relation.relation_type', `a relation inside another field leads to one record, not ${kind}`, remedy);
  }
}
