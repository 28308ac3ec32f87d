import { badRequest, type Problem } from '../base/problem.ts';
import type { ContentType, Field } from '../definition/content-type.ts';
import { readableFields } from '../definition/readable-fields.ts';
import type { ReadView } from '../definition/rights/read-view.ts';
import { isValue, junctionOf, scalarKindOf } from '../definition/stored-field.ts';
import { type CalendarUnit, calendarUnits } from '../values/calendar-unit.ts';
import { type TimeZone, timeZone } from '../values/time-zone.ts';
import type { ScalarKind } from '../values/value-kind.ts';
import { shownName } from './query-text.ts';
import { readableField } from './read-view.ts';

/** What records are grouped by: the value of a field, or the unit of the calendar that it is in. */
export interface GroupKey {
  /** As asked for, `created_at:month@Europe/Lisbon`, which is its name in the answer. */
  readonly name: string;
  readonly field: Field;
  /** The table with the links of a relation to many; null: the field has a value of its own. */
  readonly junction: string | null;
  /** Of the field's values. */
  readonly kind: ScalarKind;
  readonly unit: CalendarUnit | null;
  /** Null: UTC, or the calendar of a date. */
  readonly zone: TimeZone | null;
}

/** The most keys of one request. */
export const mostKeys = 5;

/** Reads `group=status,created_at:month`. */
export function readGroup(
  text: string,
  { type, view }: { readonly type: ContentType; readonly view: ReadView },
): readonly GroupKey[] {
  const keys = text.split(',').map((entry) => readKey(entry.trim(), type, view));
  if (keys.length > mostKeys) throw badRequest('invalid_parameter', `"group" names at most ${mostKeys} keys.`);
  if (new Set(keys.map(({ name }) => name)).size < keys.length) {
    throw badRequest('invalid_parameter', '"group" names a key more than once.');
  }
  if (keys.filter(({ junction }) => junction !== null).length > 1) {
    throw badRequest('invalid_parameter', '"group" names more than one relation to many.');
  }
  return keys;
}

function readKey(name: string, type: ContentType, view: ReadView): GroupKey {
  const [, fieldName = '', unitName, zoneName] = /^([^:@]*)(?::([^@]*)(?:@(.*))?)?$/.exec(name) ?? [];
  const field = readableField(type, view, fieldName);
  const key = field === undefined ? undefined : keyOf(field);
  if (key === undefined) throw badRequest('invalid_parameter', noKey(name, type, view));
  if (unitName === undefined) return { name, ...key, unit: null, zone: null };
  const unit = unitsOf(key.kind).find((one) => one === unitName);
  if (unit === undefined) throw noUnit(name, key.kind);
  if (zoneName === undefined) return { name, ...key, unit, zone: null };
  if (key.kind !== 'datetime') {
    throw badRequest('invalid_parameter', `"group" names a zone for ${fieldName}, whose values are the same in all.`);
  }
  const zone = timeZone(zoneName);
  if (zone === undefined) {
    const detail = `"group" names the zone "${shownName(zoneName)}", which is none, such as Europe/Lisbon.`;
    throw badRequest('invalid_parameter', detail);
  }
  return { name, ...key, unit, zone };
}

/** How records can be grouped by a field; undefined where they cannot. */
export function keyOf(field: Field): Pick<GroupKey, 'field' | 'junction' | 'kind'> | undefined {
  const junction = junctionOf(field) ?? null;
  const kind = junction === null ? scalarKindOf(field) : 'text';
  return kind === undefined || (isValue(field) && !field.type.filterable) ? undefined : { field, junction, kind };
}

/** The units that values of a kind are in. */
export function unitsOf(kind: ScalarKind): readonly CalendarUnit[] {
  if (kind === 'datetime') return calendarUnits;
  return kind === 'date' ? calendarUnits.filter((unit) => unit !== 'hour') : [];
}

/** An unreadable field gets the same answer as one that does not exist. */
function noKey(name: string, type: ContentType, view: ReadView): string {
  const known = readableFields(type, view).filter((field) => keyOf(field) !== undefined);
  const names = known.map((field) => field.name).join(', ');
  return `"group" names "${shownName(name)}", by which ${type.plural} cannot be grouped. They can by ${names}.`;
}

function noUnit(name: string, kind: ScalarKind): Problem {
  const units = unitsOf(kind);
  const known = units.length === 0 ? 'none: only dates and times have units' : `one of ${units.join(', ')}`;
  return badRequest('invalid_parameter', `"group" has "${shownName(name)}", whose unit must be ${known}.`);
}
