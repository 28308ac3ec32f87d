import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import type { EditingRules } from '../../editing/editing-machine.ts';
import type { Values } from '../../editing/editing-state.ts';
import { sameValue } from '../../editing/same-value.ts';
import type { FieldInfo } from '../../fields/field.ts';
import { formFields } from '../../fields/form-fields.ts';
import { isUnreadable, unreadableIn } from '../../fields/unreadable.ts';
import { protocolOf } from './publishing.ts';

/** The rules of saving that follow from a content type. */
export function editingRules(type: ContentTypeInfo): Omit<EditingRules, 'session'> {
  const fields = new Map(formFields(type).map((field) => [field.name, field]));
  const writable = [...fields.values()].filter((field) => field.writable);
  const secrets = new Set(writable.filter((field) => field.type === 'password').map(({ name }) => name));
  const isLockable = protocolOf(type, 'lockable') !== undefined;
  return {
    names: [...fields.keys()],
    secrets,
    same: (name, one, other) => {
      const field = fields.get(name);
      return field !== undefined && sameValue(plain(field, one), plain(field, other));
    },
    canSend: (value) => Object.keys(unreadableIn(value)).length === 0,
    more: (record) => (isLockable ? { lock_version: record.lock_version } : {}),
  };
}

/** A value in the one spelling by which two are compared: a file is its id, an instant its time, a number its digits. */
function plain(field: FieldInfo, value: unknown): unknown {
  if (value === null || value === undefined || value === '' || isUnreadable(value)) return value === '' ? null : value;
  switch (field.type) {
    case 'media':
      return Array.isArray(value) ? value.map(fileId) : fileId(value);
    case 'datetime':
      return instant(value);
    case 'decimal':
    case 'bigint':
      return typeof value === 'string' || typeof value === 'number' ? digits(String(value)) : value;
    case 'group':
      return members(field.fields, value);
    case 'list':
      if (!Array.isArray(value)) return value;
      return value.map((item) => (field.item === undefined ? members(field.fields, item) : plain(field.item, item)));
    case 'blocks':
      return Array.isArray(value) ? value.map((item) => blockValue(field, item)) : value;
    default:
      return value;
  }
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fileId = (value: unknown): unknown => (isObject(value) && typeof value.id === 'string' ? value.id : value);

const members = (fields: readonly FieldInfo[], value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(fields.map((field) => [field.name, plain(field, value[field.name])])) : value;

function blockValue(field: FieldInfo, item: unknown): unknown {
  if (!isObject(item)) return item;
  const block = field.blocks.find(({ name }) => name === item.block);
  return [item.block, item.id, members(block?.fields ?? [], item)];
}

function instant(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const time = Date.parse(value);
  return Number.isNaN(time) ? value : time;
}

const digits = (text: string): string => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text);

/** The values that a new record begins with. */
export function defaultsOf(type: ContentTypeInfo): Values {
  const written = new Map((type.definition.fields ?? []).map((field) => [field.name, field.default]));
  return Object.fromEntries(formFields(type).map(({ name }) => [name, written.get(name) ?? null]));
}

/** What a copy of a record begins with: what has to be its own is left out. */
export function valuesToDuplicate(type: ContentTypeInfo, record: Values): Values {
  const facts = new Map(type.fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    formFields(type)
      .filter(({ name, writable, type: kind }) => writable && kind !== 'uid' && facts.get(name)?.unique !== true)
      .map(({ name }) => [name, withoutIds(record[name] ?? null)]),
  );
}

/** The blocks of a copy are other blocks. */
function withoutIds(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((item) => isObject(item) && typeof item.block === 'string')) return value;
  return value.map(({ id: _, ...item }) => item);
}
