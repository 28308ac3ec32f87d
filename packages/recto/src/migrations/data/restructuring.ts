import type { Field, Part, Structure } from '../../definition/field-type.ts';
import { blockMember, isMembers, type Members, partFields } from '../../definition/structure/structure-items.ts';
import { castValue, isCast } from '../../values/casts.ts';
import { kinds } from '../../values/kinds.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { askedMore, asksOf, type FieldAsks } from '../storage/field-asks.ts';
import type { StoredMember, StoredPart, StoredStructure } from '../storage/stored-structure.ts';

/** One difference between the stored values of a structured field and its definition, counted as values are looked at. */
export interface InnerChange {
  readonly kind: 'added' | 'renamed' | 'removed' | 'converted' | 'narrowed';
  /** The field or block: `body.quote.author`. */
  readonly path: string;
  /** What is new about it, in words. */
  readonly what: string;
  /** Records that have such a value. */
  records: number;
  /** Records whose value cannot follow, and why the first of them cannot. */
  misfits: number;
  reason: string;
}

export interface RestructuringTraits {
  /** What the field asked of its values before. */
  readonly asks?: FieldAsks | undefined;
  /** What the definition no longer has stays where it is, as in versions of records. */
  readonly keepsRemoved?: boolean;
}

/** Brings stored values of a structured field into the form of its definition, and counts what that means to them. */
export class Restructuring {
  readonly changes: InnerChange[] = [];
  readonly #root: MemberStep;
  /** What the value that is being looked at has met. */
  readonly #met = new Set<InnerChange>();
  readonly #failed = new Set<InnerChange>();
  readonly #keepsRemoved: boolean;

  constructor(field: Field, before: StoredStructure, { asks, keepsRemoved = false }: RestructuringTraits = {}) {
    this.#keepsRemoved = keepsRemoved;
    this.#root = this.#memberStep(field.name, { kind: 'json', asks: asks ?? asksOf(field), structure: before }, field);
  }

  /** The value in its new form. */
  apply(value: JsonValue): JsonValue {
    this.#met.clear();
    this.#failed.clear();
    const made = this.#member(this.#root, value);
    for (const change of this.#met) change.records += 1;
    for (const change of this.#failed) change.misfits += 1;
    return made;
  }

  #change(kind: InnerChange['kind'], path: string, what: string): InnerChange {
    const change: InnerChange = { kind, path, what, records: 0, misfits: 0, reason: '' };
    this.changes.push(change);
    return change;
  }

  #memberStep(path: string, before: StoredMember, field: Field): MemberStep {
    const asks = asksOf(field);
    const { narrowed, required } = askedMore(before.asks, asks, before.kind);
    const isConverted = before.kind !== field.type.kind;
    const asked = isConverted ? [] : [...narrowed, ...(required ? ['required'] : [])];
    const step: MemberStep = {
      field,
      before,
      narrowing: asked.length === 0 ? undefined : this.#change('narrowed', path, asked.join('; ')),
      isRequired: required,
      conversion: isConverted ? this.#change('converted', path, `${before.kind} → ${field.type.kind}`) : undefined,
      parts: [],
    };
    const { structure } = field;
    if (structure === undefined || before.structure === undefined) return step;
    return { ...step, parts: this.#partSteps(path, before.structure, structure) };
  }

  #partSteps(path: string, before: StoredStructure, after: Structure): readonly PartStep[] {
    const left = new Map(before.parts.map((part) => [part.name, part]));
    const steps: PartStep[] = [];
    for (const part of after.parts) {
      const own = part.name === null ? path : `${path}.${part.name}`;
      const former = left.has(part.name) ? part.name : (part.renamedFrom ?? part.name);
      const stored = left.get(former);
      left.delete(former);
      if (stored === undefined) continue;
      const renamed = former === part.name ? undefined : this.#change('renamed', own, `renamed from block "${former}"`);
      steps.push({ from: former, part, change: renamed, ...this.#membersOf(own, stored, part) });
    }
    for (const { name } of left.values()) {
      const removed = this.#change('removed', name === null ? path : `${path}.${name}`, 'block');
      steps.push({ from: name, part: undefined, change: removed, members: [], removed: [] });
    }
    return steps;
  }

  #membersOf(path: string, stored: StoredPart, part: Part): Pick<PartStep, 'members' | 'removed'> {
    const left = new Map(Object.entries(stored.members));
    const members = partFields(part).map((field): NamedStep => {
      const own = field.name === '' ? path : `${path}.${field.name}`;
      const { renamedFrom } = field;
      const former = left.has(field.name) || renamedFrom === undefined ? field.name : renamedFrom;
      const before = left.get(former);
      if (before === undefined || !canFollow(before, field)) {
        return { from: null, field, step: undefined, change: this.#change('added', own, '') };
      }
      left.delete(former);
      const change = former === field.name ? undefined : this.#change('renamed', own, `renamed from "${former}"`);
      return { from: former, field, step: this.#memberStep(own, before, field), change };
    });
    const removed = [...left].map(([name]): readonly [string, InnerChange] => [
      name,
      this.#change('removed', name === '' ? path : `${path}.${name}`, 'field'),
    ]);
    return { members, removed };
  }

  #member(step: MemberStep, value: JsonValue): JsonValue {
    const { field, before, narrowing, conversion } = step;
    if (value === null) {
      if (narrowing !== undefined && step.isRequired) this.#fail(narrowing, 'has no value');
      return null;
    }
    if (narrowing !== undefined) this.#met.add(narrowing);
    if (conversion !== undefined) return this.#converted(step, conversion, value);
    const { structure } = field;
    if (structure !== undefined) return this.#structured(step, structure, value);
    if (narrowing !== undefined && before.kind !== 'json') {
      const parsed = field.type.parse(value, field);
      if (!parsed.ok) this.#fail(narrowing, `is rejected: ${parsed.message.replace(/\.$/, '')}`);
    }
    return value;
  }

  #converted({ field, before }: MemberStep, change: InnerChange, value: JsonValue): JsonValue {
    this.#met.add(change);
    const held = before.kind === 'json' ? value : kinds[before.kind].fromJson(value);
    const cast = held === undefined ? undefined : castValue(before.kind, field.type.kind, held);
    const sent: JsonValue | undefined = typeof cast === 'bigint' ? String(cast) : cast;
    const parsed = sent === undefined ? undefined : field.type.parse(sent, field);
    if (sent === undefined) this.#fail(change, `has no form as ${field.type.kind} that leads back to it`);
    else if (parsed?.ok === false) this.#fail(change, `is rejected: ${parsed.message.replace(/\.$/, '')}`);
    return sent ?? value;
  }

  #structured(step: MemberStep, structure: Structure, value: JsonValue): JsonValue {
    if (!structure.many) return this.#item(step, value) ?? null;
    if (!Array.isArray(value)) return value;
    const { narrowing } = step;
    const { minItems, maxItems } = structure;
    if (narrowing !== undefined && (value.length < minItems || value.length > maxItems)) {
      this.#fail(narrowing, `has ${value.length} items`);
    }
    return value.flatMap((item: JsonValue) => this.#item(step, item) ?? []);
  }

  /** Undefined for one that goes. */
  #item({ parts, before }: MemberStep, item: JsonValue): JsonValue | undefined {
    const name = before.structure?.tagged === true && isMembers(item) ? (item[blockMember] ?? null) : null;
    const step = parts.find((each) => each.from === name);
    if (step === undefined) return item;
    if (step.change !== undefined) this.#met.add(step.change);
    if (step.part === undefined) return this.#keepsRemoved ? item : undefined;
    const [only] = step.members;
    if (step.part.item !== null) {
      if (only?.step !== undefined) return this.#member(only.step, item);
      // Items were objects, or values of another kind.
      for (const [, change] of step.removed) this.#met.add(change);
      return this.#keepsRemoved ? item : undefined;
    }
    if (!isMembers(item)) {
      for (const [, change] of step.removed) this.#met.add(change);
      return this.#keepsRemoved ? item : undefined;
    }
    return this.#object(step, step.part, item);
  }

  #object({ members, removed }: PartStep, part: Part, item: Members): Members {
    const tag = part.name === null ? {} : { [blockMember]: part.name, id: item.id ?? null };
    const made = members.map(({ from, field, step, change }): [string, JsonValue] => {
      const value = from === null ? null : (item[from] ?? null);
      if (change !== undefined && (value !== null || from === null)) this.#met.add(change);
      return [field.name, step === undefined ? defaultOf(field) : this.#member(step, value)];
    });
    const kept = removed.flatMap(([name, change]): [string, JsonValue][] => {
      const value = item[name] ?? null;
      if (value !== null) this.#met.add(change);
      return this.#keepsRemoved && value !== null ? [[name, value]] : [];
    });
    return { ...tag, ...Object.fromEntries([...made, ...kept]) };
  }

  #fail(change: InnerChange, reason: string): void {
    this.#failed.add(change);
    change.reason ||= reason;
  }
}

/** What becomes of the values of one field. */
interface MemberStep {
  readonly field: Field;
  readonly before: StoredMember;
  readonly narrowing: InnerChange | undefined;
  readonly isRequired: boolean;
  readonly conversion: InnerChange | undefined;
  readonly parts: readonly PartStep[];
}

/** What becomes of the items of one part. */
interface PartStep {
  /** The name that stored items have. */
  readonly from: string | null;
  /** Undefined: the definition has no such block. */
  readonly part: Part | undefined;
  readonly change: InnerChange | undefined;
  readonly members: readonly NamedStep[];
  readonly removed: readonly (readonly [name: string, change: InnerChange])[];
}

interface NamedStep {
  /** The name that stored items have; null for a field that they do not have. */
  readonly from: string | null;
  readonly field: Field;
  readonly step: MemberStep | undefined;
  readonly change: InnerChange | undefined;
}

/** Whether values of a stored member can be values of a field, if need be converted. */
function canFollow(before: StoredMember, { type, place, structure }: Field): boolean {
  const target = place.shape === 'to_one' ? place.target : undefined;
  if (before.target !== target) return false;
  if (before.structure !== undefined || structure !== undefined) {
    return before.structure !== undefined && structure !== undefined && before.asks.type === type.name;
  }
  return before.kind === type.kind || isCast(before.kind, type.kind);
}

/** What a field has in an item that was there before it. */
function defaultOf(field: Field): JsonValue {
  if (field.default === undefined) return null;
  const parsed = field.type.parse(field.default, field);
  return !parsed.ok ? null : typeof parsed.value === 'bigint' ? String(parsed.value) : parsed.value;
}
