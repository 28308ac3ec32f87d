import type { SqlValue } from '../../base/bindings.ts';
import type { Field } from '../../definition/content-type.ts';
import { castValue, isCast } from '../../values/casts.ts';
import type { JsonValue, ValueKind } from '../../values/value-kind.ts';
import { askedMore } from '../storage/field-asks.ts';
import { droppedField, indexOf, type KnownField, movedField } from '../storage/storage-changes.ts';
import { describeStorage, type FieldStorage, sameStorage } from '../storage/type-storage.ts';
import { counted, misfitsText } from './schema-note.ts';
import { planStructure, type StructureChange } from './structure-plan.ts';
import type { TypePlanning } from './type-planning.ts';

/** Plans what one defined field asks for, and takes what it is stored in out of `known`. */
export async function planField(
  planner: TypePlanning,
  name: string,
  wanted: FieldStorage,
  known: Map<string, KnownField>,
): Promise<void> {
  const field = planner.type.field.get(name);
  const stored = await renamedField(planner, name, field?.renamedFrom, known);
  known.delete(name);
  if (stored === undefined) {
    await planner.addField(name, wanted);
    planner.note('start', await addedText(planner, name, wanted));
  } else {
    await new FieldPlanner(planner, { name, field, wanted, stored }).plan();
  }
}

async function addedText(planner: TypePlanning, name: string, wanted: FieldStorage): Promise<string> {
  const records = await planner.around.facts.records(planner.tableNow);
  const added = `field "${name}" (${describeStorage(wanted)}) is added`;
  if (records === 0 || wanted.shape === 'to_many') return added;
  const value = planner.type.field.get(name)?.default;
  const given = value === undefined || value === null || wanted.unique ? 'no value' : JSON.stringify(value);
  return `${added}; ${counted(records, 'record')} ${records === 1 ? 'has' : 'have'} ${given} there`;
}

/** What a field is stored in, brought over from a former name where it has one. */
async function renamedField(
  planner: TypePlanning,
  name: string,
  formerName: string | undefined,
  known: Map<string, KnownField>,
): Promise<KnownField | undefined> {
  const own = known.get(name);
  const former = formerName === undefined ? undefined : known.get(formerName);
  if (formerName === undefined || former === undefined) return own;
  const { facts } = planner.around;
  const filled = await facts.filled(planner.tableNow, former.now);
  if (own !== undefined) {
    if (filled === 0) return own;
    const ownFilled = await facts.filled(planner.tableNow, own.now);
    if (ownFilled > 0) {
      planner.refuse(
        `field "${name}" is renamed from "${formerName}", but both hold values (in ${ownFilled} and ${counted(filled, 'record')})`,
        `leave renamed_from out, or empty one of the two first`,
      );
      return own;
    }
    planner.drop(name, own.now);
  }
  known.delete(formerName);
  const later = movedField(former.now, planner.type.table, name);
  renameStorage(planner, former.later, later);
  planner.renamed({ from: formerName, to: name });
  planner.note(
    'apply',
    `field "${formerName}" is renamed to "${name}", with its values in ${counted(filled, 'record')}`,
  );
  return { now: former.now, later };
}

function renameStorage(planner: TypePlanning, from: FieldStorage, to: FieldStorage): void {
  const { table } = planner.type;
  if (from.shape === 'to_many') {
    if (to.shape === 'to_many') planner.rename({ change: 'rename_junction', junction: from.junction, to: to.junction });
    return;
  }
  if (to.shape === 'to_many') return;
  const index = indexOf(from);
  if (index !== undefined) planner.rename({ change: 'drop_index', table, ...index });
  planner.rename({ change: 'rename_column', table, column: from.column, to: to.column });
  if (index !== undefined) planner.rename({ change: 'create_index', table, ...index, column: to.column });
}

interface FieldChange {
  readonly name: string;
  /** Undefined for a field that only its storage is known of. */
  readonly field: Field | undefined;
  readonly wanted: FieldStorage;
  readonly stored: KnownField;
}

/** What becomes of a field that is stored already. */
class FieldPlanner {
  readonly #planner: TypePlanning;
  readonly #change: FieldChange;

  constructor(planner: TypePlanning, change: FieldChange) {
    this.#planner = planner;
    this.#change = change;
  }

  async plan(): Promise<void> {
    const { wanted, stored } = this.#change;
    const same = sameStorage(stored.later, wanted);
    const filled = await this.#facts.filled(this.#table, stored.now);
    if (!same && filled === 0) return this.#replace();
    if (!(await this.#isUniqueEnough()) || !(await this.#isThereEnough())) return;
    if (!same) return this.#convert(filled);
    const structured = this.#structures();
    if (structured !== undefined) await planStructure(this.#planner, structured);
    else await this.#narrow(filled);
    this.#changeIndex(filled);
  }

  /** How the structure of a field differs that is of the same type as before. */
  #structures(): StructureChange | undefined {
    const { field, wanted, stored } = this.#change;
    const { now } = stored;
    if (field === undefined || now.shape !== 'column' || wanted.shape !== 'column') return undefined;
    if (now.structure === undefined || wanted.structure === undefined) {
      if (now.structure !== undefined || wanted.structure !== undefined) this.#planner.relink(field);
      return undefined;
    }
    if (now.asks?.type !== wanted.asks?.type) {
      this.#planner.relink(field);
      return undefined;
    }
    if (Bun.deepEquals(now.structure, wanted.structure) && Bun.deepEquals(now.asks, wanted.asks)) return undefined;
    return { field, before: now.structure, asks: now.asks, columnNow: now.column };
  }

  get #facts() {
    return this.#planner.around.facts;
  }

  /** Where the records are before anything is renamed. */
  get #table(): string {
    return this.#planner.tableNow;
  }

  async #replace(): Promise<void> {
    const { name, wanted, stored } = this.#change;
    for (const change of droppedField(this.#planner.type.table, stored.later)) this.#planner.make(change);
    await this.#planner.addField(name, wanted);
    this.#planner.note('start', `field "${name}", which holds no values, becomes ${describeStorage(wanted)}`);
  }

  async #isUniqueEnough(): Promise<boolean> {
    const { name, wanted, stored } = this.#change;
    if (wanted.shape === 'to_many' || !wanted.unique) return true;
    const { within } = wanted;
    const was = stored.now.shape === 'to_many' ? undefined : indexOf(stored.now);
    if (was?.unique === true && (was.within === undefined || was.within === within)) return true;
    const isThere = within !== undefined && (await this.#facts.columns(this.#table)).has(within);
    const repeated = await this.#facts.repeated(this.#table, stored.now, isThere ? within : undefined);
    if (repeated === 0) return true;
    this.#planner.refuse(
      `field "${name}" is defined as unique, but ${counted(repeated, 'value')} of it ${repeated === 1 ? 'stands' : 'stand'} in more than one record`,
      'make the values differ first, or leave "unique" out',
    );
    return false;
  }

  async #isThereEnough(): Promise<boolean> {
    const { name, stored } = this.#change;
    if (!this.#asked().required) return true;
    const missing = await this.#facts.empty(this.#table, stored.now);
    if (missing.count === 0) return true;
    const records = await this.#facts.records(this.#table);
    this.#planner.refuse(
      `field "${name}" is defined as required, but has no value in ${misfitsText(missing, records, 'record')}`,
      'give it one there first, or leave "required" out',
    );
    return false;
  }

  #asked() {
    const { wanted, stored } = this.#change;
    const kind = wanted.shape === 'column' ? wanted.kind : 'text';
    return askedMore(stored.now.asks, wanted.asks, kind);
  }

  /** To another form of storage, where every value survives it. */
  async #convert(filled: number): Promise<void> {
    const { name, wanted, stored } = this.#change;
    const { now, later } = stored;
    const problem = await this.#lossOf(now, wanted, filled);
    if (problem !== undefined) {
      this.#planner.refuse(
        `field "${name}" is stored as ${describeStorage(now)} in ${counted(filled, 'record')} and defined as ${describeStorage(wanted)}${problem}`,
        'give the new field another name, or empty the old one first',
      );
      return;
    }
    this.#planner.note(
      'apply',
      `field "${name}" becomes ${describeStorage(wanted)}; its values in ${counted(filled, 'record')}, stored as ${describeStorage(now)}, are converted without loss`,
    );
    if (later.shape === 'column' && wanted.shape === 'column') this.#castColumn(later, wanted);
    else if (later.shape === 'to_one' && wanted.shape === 'to_many') this.#toMany(later, wanted);
    else if (later.shape === 'to_many' && wanted.shape === 'to_one') this.#toOne(later, wanted);
  }

  /** Why values would be lost; undefined when none is. The empty text: it goes without saying. */
  async #lossOf(now: FieldStorage, wanted: FieldStorage, filled: number): Promise<string | undefined> {
    if (now.shape === 'column' && wanted.shape === 'column') {
      if (now.secret !== wanted.secret || !isCast(now.kind, wanted.kind)) return '';
      return this.#misfits(now, wanted.kind, filled);
    }
    if (now.shape === 'column' || wanted.shape === 'column' || now.target !== wanted.target) return '';
    if (now.shape === 'to_one' || wanted.shape === 'to_many') return now.shape === wanted.shape ? '' : undefined;
    const several = await this.#facts.severalTargets(now.junction);
    return several.count === 0 ? undefined : `, but names several in ${misfitsText(several, filled, 'record')}`;
  }

  /** The values that the field would not take, in words; undefined when it takes all. */
  async #misfits(
    now: Extract<FieldStorage, { shape: 'column' }>,
    kind: ValueKind,
    filled: number,
  ): Promise<string | undefined> {
    const { field } = this.#change;
    const { dialect } = this.#planner.around;
    let reason = '';
    const fits = (stored: SqlValue): boolean => {
      const cast = castValue(now.kind, kind, dialect.decode(now.kind, stored));
      if (cast === undefined) {
        reason ||= `has no form as ${kind} that leads back to it`;
        return false;
      }
      if (field === undefined || field.type.secret) return true;
      const parsed = field.type.parse(jsonForm(cast), field);
      if (!parsed.ok) reason ||= `is rejected: ${parsed.message.replace(/\.$/, '')}`;
      else if (field.type.rewrites !== true && !Bun.deepEquals(parsed.value, cast)) reason ||= 'would be changed';
      else return true;
      return false;
    };
    const misfits = await this.#facts.misfits(
      this.#table,
      now.column,
      fits,
      this.#planner.translations(this.#change.name),
    );
    if (misfits.count === 0) return undefined;
    return `, but the value ${reason} in ${misfitsText(misfits, filled, 'record')}`;
  }

  #castColumn(
    from: Extract<FieldStorage, { shape: 'column' }>,
    wanted: Extract<FieldStorage, { shape: 'column' }>,
  ): void {
    const { table } = this.#planner.type;
    // No field has a name with a dollar sign.
    const fresh = `${wanted.column}$cast`;
    this.#planner.makeColumn(wanted, fresh);
    this.#planner.move({
      move: 'cast',
      table,
      from: { column: from.column, kind: from.kind },
      to: { column: fresh, kind: wanted.kind },
    });
    this.#planner.end(...droppedField(table, from), {
      change: 'rename_column',
      table,
      column: fresh,
      to: wanted.column,
    });
    const index = indexOf(wanted);
    if (index !== undefined) this.#planner.end({ change: 'create_index', table, ...index });
  }

  #toMany(from: Extract<FieldStorage, { shape: 'to_one' }>, wanted: Extract<FieldStorage, { shape: 'to_many' }>): void {
    const { table } = this.#planner.type;
    this.#planner.makeJunction(wanted.junction, wanted.target);
    this.#planner.move({ move: 'to_many', table, column: from.column, junction: wanted.junction });
    this.#planner.end(...droppedField(table, from));
  }

  #toOne(from: Extract<FieldStorage, { shape: 'to_many' }>, wanted: Extract<FieldStorage, { shape: 'to_one' }>): void {
    const { table } = this.#planner.type;
    this.#planner.makeColumn(wanted, wanted.column);
    this.#planner.move({ move: 'to_one', table, column: wanted.column, junction: from.junction });
    this.#planner.end({ change: 'drop_junction', junction: from.junction });
    const index = indexOf(wanted);
    if (index !== undefined) this.#planner.end({ change: 'create_index', table, ...index });
  }

  /** Values stay as they are stored, but the field may take fewer than it did. */
  async #narrow(filled: number): Promise<void> {
    const { name, field, wanted, stored } = this.#change;
    const { narrowed, required } = this.#asked();
    const asked = [...narrowed, ...(required ? ['required'] : [])].join('; ');
    if (asked === '') return this.#noteWider();
    if (this.#planner.type.builtIn && field?.origin === 'protocol') {
      // Another version of the product brought it: no definition could take it back, and a start must not wait for anybody.
      this.#planner.note('start', `field "${name}" takes other values (${asked}); stored ones stay as they are`);
      return;
    }
    const { now } = stored;
    const checked = filled > 0 && narrowed.length > 0 && now.shape === 'column' && wanted.shape === 'column';
    const problem = checked ? await this.#misfits(now, wanted.kind, filled) : undefined;
    if (problem !== undefined) {
      this.#planner.refuse(
        `field "${name}" takes other values (${asked})${problem}`,
        'change those values first, or leave the field as it was',
      );
    } else if (filled === 0) {
      this.#planner.note('start', `field "${name}" takes other values (${asked}); it holds none`);
    } else {
      this.#planner.note(
        'apply',
        `field "${name}" takes other values (${asked}); those in ${counted(filled, 'record')} fit`,
      );
    }
  }

  #noteWider(): void {
    const { name, wanted, stored } = this.#change;
    const before = stored.now.asks;
    if (before !== undefined && !Bun.deepEquals(before, wanted.asks))
      this.#planner.note('start', `field "${name}" takes more than before`);
  }

  #changeIndex(filled: number): void {
    const { name, wanted, stored } = this.#change;
    if (wanted.shape === 'to_many' || stored.later.shape === 'to_many') return;
    const { table } = this.#planner.type;
    const [was, is] = [indexOf(stored.later), indexOf(wanted)];
    if (was?.unique === is?.unique && was?.within === is?.within) return;
    if (was !== undefined) this.#planner.end({ change: 'drop_index', table, ...was });
    if (is !== undefined) this.#planner.end({ change: 'create_index', table, ...is });
    if (was?.unique === true && is?.unique === true) {
      const among = is.within === undefined ? 'all records' : `those with the same ${is.within}`;
      this.#planner.note('start', `field "${name}" is unique among ${among} from now on`);
    } else if (!wanted.unique) {
      this.#planner.note(
        'start',
        `field "${name}" ${stored.later.unique ? 'is no longer unique' : 'has another index'}`,
      );
    } else if (filled === 0) this.#planner.note('start', `field "${name}" becomes unique; it holds no values`);
    else
      this.#planner.note(
        'apply',
        `field "${name}" becomes unique; its values in ${counted(filled, 'record')} all differ`,
      );
  }
}

/** As a payload would have it. */
const jsonForm = (value: JsonValue | bigint): JsonValue => (typeof value === 'bigint' ? String(value) : value);
