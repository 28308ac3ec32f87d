import type { Field, UniqueSet } from './content-type.ts';
import { closest } from './definition-structure.ts';
import { tenantField } from './fields/tenant-field.ts';
import { indexWidth, mostIndexCharacters } from './index-width.ts';
import { isToMany } from './stored-field.ts';
import type { TypeDraft } from './type-draft.ts';

/** The `unique` at the head of a definition. Sets that are wrong are reported and left out. */
export function uniqueSets(
  draft: TypeDraft,
  fields: ReadonlyMap<string, Field>,
  broken: ReadonlySet<string>,
): readonly UniqueSet[] {
  const sets = new Map<string, UniqueSet>();
  for (const [index, names] of (draft.written.unique ?? []).entries()) {
    const set = uniqueSet(draft, names ?? [], `unique[${index}]`, fields, broken);
    if (set === undefined) continue;
    const key = set
      .map(({ name }) => name)
      .toSorted()
      .join();
    if (sets.has(key)) draft.report(`unique[${index}]`, 'these fields are already such a set', 'write it once');
    else sets.set(key, Object.freeze(set));
  }
  return Object.freeze([...sets.values()]);
}

function uniqueSet(
  { report }: TypeDraft,
  names: readonly string[],
  path: string,
  fields: ReadonlyMap<string, Field>,
  broken: ReadonlySet<string>,
): UniqueSet | undefined {
  if (names.some((name) => broken.has(name))) return undefined;
  const found: Field[] = [];
  for (const [place, name] of names.entries()) {
    const field = fields.get(name);
    const reason = field === undefined ? undefined : unusable(field);
    if (field === undefined) {
      report(`${path}[${place}]`, `there is no field "${name}"`, closest(name, candidates(fields), 'there are'));
    } else if (found.includes(field)) {
      report(`${path}[${place}]`, `"${name}" stands in the set twice`, 'write it once');
    } else if (reason !== undefined) {
      report(`${path}[${place}]`, `"${name}" ${reason}`, closest(name, candidates(fields), 'there are'));
    } else found.push(field);
  }
  const [first, second, ...others] = found;
  if (found.length < names.length) return undefined;
  if (first === undefined || second === undefined) {
    const remedy = first === undefined ? 'name two fields or more' : 'write unique = true on the field itself';
    report(path, 'a set has two fields or more', remedy);
    return undefined;
  }
  const unlimited = found.find((field) => indexWidth(field) > mostIndexCharacters);
  if (found.reduce((width, field) => width + indexWidth(field), 0) > mostIndexCharacters) {
    const what = unlimited === undefined ? 'these texts together are' : `the text "${unlimited.name}" is`;
    const remedy = `give the texts a max_length, together at most ${mostIndexCharacters}`;
    report(path, `${what} too long for an index`, remedy);
    return undefined;
  }
  return [first, second, ...others];
}

const candidates = (fields: ReadonlyMap<string, Field>): readonly string[] =>
  [...fields.values()].filter((field) => unusable(field) === undefined).map(({ name }) => name);

/** Why a field cannot be in a set. What the service changes by itself, such as a status, could come to stand in another's way. */
function unusable(field: Field): string | undefined {
  const { type, origin, immutable, unique, name } = field;
  if (isToMany(field)) return 'is a relation to many';
  if (!type.filterable || type.secret || type.kind === 'json') return `is a ${type.name}, which cannot be compared`;
  if (name === 'id' || unique || type.alwaysUnique) return 'is unique by itself';
  if (origin === 'protocol' && (!immutable || type === tenantField)) return 'is kept by a protocol';
  return undefined;
}
