import type { FieldPlace } from './content-type.ts';
import type { RelationDefinition } from './definition-file.ts';
import { closest } from './definition-structure.ts';
import type { FieldSurroundings } from './field-surroundings.ts';
import { profileSingular } from './profile/profile-type.ts';
import { known, type Report, type TypeDraft, type WrittenField } from './type-draft.ts';

/** Where a relation's values are; undefined when the definition does not say it rightly, which is reported. */
export function relationPlace(name: string, written: WrittenField, around: FieldSurroundings): FieldPlace | undefined {
  const { relation } = written;
  if (relation === undefined) {
    const example = 'relation = { relation_type = "many_to_one", target = "authors" }';
    around.report('relation', `the relation "${name}" does not say to what`, `write ${example}`);
    return undefined;
  }
  if (relation.relation_type === undefined || relation.target === undefined) return undefined;
  checkCascade(written, around);
  if (isAccounts(relation.target, around)) return accountsPlace(name, written, relation.relation_type, around);
  const target = findTarget(relation.target, around);
  if (target === undefined) return undefined;
  if (relation.relation_type !== 'one_to_many' && relation.mapped_by !== undefined) {
    const remedy = 'leave it out, or write relation_type = "one_to_many" on the side that is mapped';
    around.report('relation.mapped_by', `a ${relation.relation_type} relation is not mapped by another`, remedy);
  }
  switch (relation.relation_type) {
    case 'many_to_one':
    case 'one_to_one':
      return { shape: 'to_one', column: name, target: target.singular };
    case 'many_to_many':
      refuse(written, ['unique', 'default'], 'a relation to many records', around.report);
      return { shape: 'to_many', junction: junctionName(around.draft.table, name), target: target.singular };
    case 'one_to_many':
      refuse(
        written,
        ['unique', 'default', 'required', 'immutable', 'renamed_from'],
        'the mapped side of a relation',
        around.report,
      );
      return inversePlace(written, relation.mapped_by, target, around);
  }
}

/** A record belongs to one other by a field, in every language. */
function checkCascade({ relation, localized }: WrittenField, around: FieldSurroundings): void {
  if (relation?.cascade !== true) return;
  const { draft, depth, report } = around;
  const refuseIt = (message: string, remedy = 'leave it out') => report('relation.cascade', message, remedy);
  if (depth > 0) refuseIt('a record does not belong to another by a field inside a field');
  else if (isAccounts(relation.target ?? '', around)) refuseIt('records do not belong to accounts');
  else if (relation.relation_type === 'many_to_many' || relation.relation_type === 'one_to_many')
    refuseIt(`a record does not belong to another by a ${relation.relation_type} relation`, 'write many_to_one');
  else if (localized === true) refuseIt('a record belongs to the same one in all languages', 'leave localized out');
  else if (draft.written.kind === 'single') refuseIt('the record of a single type belongs to no other');
}

/** Whether a name means the accounts of the service. A type of that name comes first. */
const isAccounts = (name: string, { drafts }: FieldSurroundings): boolean =>
  accountNames.includes(name) && !drafts.byName.has(name);

const accountNames = ['users', 'user'];

/** Accounts hold no fields of definitions, so nothing of theirs points back. */
function accountsPlace(
  name: string,
  written: WrittenField,
  type: RelationDefinition['relation_type'],
  { draft, report }: FieldSurroundings,
): FieldPlace | undefined {
  if (written.relation?.mapped_by !== undefined) {
    report('relation.mapped_by', 'accounts have no fields that point back', 'leave it out');
  }
  switch (type) {
    case 'many_to_one':
    case 'one_to_one':
      return { shape: 'to_one', column: name, target: profileSingular };
    case 'many_to_many':
      refuse(written, ['unique', 'default'], 'a relation to many records', report);
      return { shape: 'to_many', junction: junctionName(draft.table, name), target: profileSingular };
    case 'one_to_many':
      report('relation.relation_type', 'accounts have no fields that point back', 'write many_to_one or many_to_many');
      return undefined;
  }
}

/** Options that say nothing about a relation of that shape; `false` says nothing either way. */
export function refuse(
  written: WrittenField,
  options: readonly ('unique' | 'default' | 'required' | 'immutable' | 'renamed_from' | 'indexed')[],
  what: string,
  report: Report,
): void {
  for (const option of options) {
    const value = written[option];
    if (value !== undefined && value !== false && value !== null) {
      report(option, `${option} means nothing on ${what}`, 'leave it out');
    }
  }
}

function findTarget(name: string, { drafts, report }: FieldSurroundings): TypeDraft | undefined {
  const target = drafts.byName.get(name);
  if (target === undefined && !drafts.incomplete) {
    report(
      'relation.target',
      name === '' ? 'no content type is named' : `there is no content type "${name}"`,
      closest(name, [...drafts.byName.keys()], 'there are'),
      { code: 'unknown_type' },
    );
  }
  return target;
}

/** PostgreSQL cuts names after 63 bytes, and two that are cut to the same would be one table. */
const longestTableName = 63;

/** The table that holds the pairs of a relation to many. */
export function junctionName(table: string, field: string): string {
  const name = `${table}$${field}`;
  if (name.length <= longestTableName) return name;
  const hash = new Bun.CryptoHasher('sha256').update(name).digest('hex').slice(0, 10);
  return `${name.slice(0, longestTableName - hash.length - 1)}$${hash}`;
}

function inversePlace(
  written: WrittenField,
  mappedBy: string | undefined,
  target: TypeDraft,
  { draft, drafts, report }: FieldSurroundings,
): FieldPlace | undefined {
  const candidates = fieldsPointingAt(draft, target, drafts.byName);
  const names = candidates.map(({ name }) => name ?? '');
  const mapped = mappedBy === undefined ? candidates[0] : candidates.find(({ name }) => name === mappedBy);
  const path = mappedBy === undefined ? 'relation' : 'relation.mapped_by';
  if (mapped?.name === undefined) {
    const example = `a many_to_one field in ${target.source} whose target is "${draft.plural}"`;
    const wrong = mappedBy === undefined ? 'no field' : `"${mappedBy}" is no field`;
    const remedy = names.length === 0 ? `add ${example}` : `there are: ${known(names)}`;
    report(path, `${wrong} of ${target.singular} that points back at ${draft.singular}`, remedy);
    return undefined;
  }
  if (mappedBy === undefined && candidates.length > 1) {
    const remedy = `say which is meant, such as mapped_by = "${mapped.name}"`;
    report(path, `several fields of ${target.singular} point back: ${known(names)}`, remedy);
  }
  if (mapped.private === true && written.private !== true) {
    report(
      '',
      `it would reveal the private field "${mapped.name}" of ${target.singular}`,
      'make this field private too',
    );
  }
  return { shape: 'inverse', target: target.singular, mappedBy: mapped.name };
}

function fieldsPointingAt(
  draft: TypeDraft,
  target: TypeDraft,
  byName: ReadonlyMap<string, TypeDraft>,
): readonly WrittenField[] {
  return toOneFields(target).filter(({ relation }) => byName.get(relation?.target ?? '') === draft);
}

const toOne = new WeakMap<TypeDraft, readonly WrittenField[]>();

function toOneFields(draft: TypeDraft): readonly WrittenField[] {
  const remembered = toOne.get(draft);
  if (remembered !== undefined) return remembered;
  const fields = (draft.written.fields ?? []).filter((field) => field !== undefined);
  const found = fields.filter(({ name, relation }) => {
    const type = relation?.relation_type;
    return name !== undefined && (type === 'many_to_one' || type === 'one_to_one');
  });
  toOne.set(draft, found);
  return found;
}
