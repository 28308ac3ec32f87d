import type { SqlValue } from '../../base/bindings.ts';
import type { Field } from '../../definition/content-type.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { type InnerChange, Restructuring } from '../data/restructuring.ts';
import type { FieldAsks } from '../storage/field-asks.ts';
import type { StoredStructure } from '../storage/stored-structure.ts';
import { counted } from './schema-note.ts';
import type { TypePlanning } from './type-planning.ts';

/** What the values of a structured field are to become. */
export interface StructureChange {
  readonly field: Field;
  readonly before: StoredStructure;
  /** What the field asked of its values before. */
  readonly asks: FieldAsks | undefined;
  /** The column that holds the values before anything is renamed. */
  readonly columnNow: string;
}

/** Plans what a changed structure means to the values that are stored: what is lost or rejected is said, not done. */
export async function planStructure(planner: TypePlanning, change: StructureChange): Promise<void> {
  const { field, before, asks, columnNow } = change;
  const { dialect, facts } = planner.around;
  const restructuring = new Restructuring(field, before, { asks });
  let changed = 0;
  await facts.each(
    planner.tableNow,
    columnNow,
    (stored: SqlValue) => {
      // The column only ever gets JSON.
      const value = dialect.decode('json', stored) as JsonValue;
      if (!Bun.deepEquals(restructuring.apply(value), value)) changed += 1;
    },
    planner.translations(field.name),
  );
  for (const each of restructuring.changes) noteChange(planner, each);
  planner.restructured({ field, before });
  if (changed > 0) planner.move({ move: 'restructure', type: planner.type, field, before });
}

function noteChange(planner: TypePlanning, { kind, path, what, records, misfits, reason }: InnerChange): void {
  const inRecords = `in ${counted(records, 'record')}`;
  switch (kind) {
    case 'added':
      planner.note(
        'start',
        `field "${path}" is added${records === 0 ? '' : `, with its default or no value ${inRecords}`}`,
      );
      return;
    case 'renamed':
      if (records === 0) planner.note('start', `"${path}" is ${what}; it holds no values`);
      else planner.note('apply', `"${path}" is ${what}, with its values ${inRecords}`);
      return;
    case 'removed':
      if (records === 0) planner.note('start', `${what} "${path}" is removed; it holds no values`);
      else planner.note('apply', `${what} "${path}" is removed, with its values ${inRecords}, which are lost`);
      return;
    case 'converted':
    case 'narrowed':
      noteValues(planner, { kind, path, what, records, misfits, reason });
  }
}

function noteValues(planner: TypePlanning, { kind, path, what, records, misfits, reason }: InnerChange): void {
  const takes = kind === 'narrowed' ? `takes other values (${what})` : `is converted (${what})`;
  if (misfits > 0) {
    planner.refuse(
      `field "${path}" ${takes}, but the value ${reason} in ${misfits} of ${counted(Math.max(records, misfits), 'record')}`,
      'change those values first, or leave the field as it was',
    );
  } else if (records === 0) planner.note('start', `field "${path}" ${takes}; it holds none`);
  else planner.note('apply', `field "${path}" ${takes}; those in ${counted(records, 'record')} fit`);
}
