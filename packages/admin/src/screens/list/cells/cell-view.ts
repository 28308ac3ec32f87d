import { contentTypes } from '../../../api/content-types.svelte.ts';
import { session } from '../../../app/session.svelte.ts';
import { t } from '../../../text/text.ts';
import { formatDateTime, relativeTime } from '../../../ui/relative-time.ts';
import { type ListField, valueLabel } from '../data/list-fields.ts';
import { nameOfAccount } from '../table/account-names.svelte.ts';
import { plainText, recordTitle, withoutMarkup } from '../table/record-text.ts';
import { type StatusLook, statusLook } from './status-look.ts';

/** What a cell shows: found without a component, as a list has more than a thousand of them. */
export type CellView =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | ({ readonly kind: 'time' } & Moment)
  | {
      readonly kind: 'status';
      readonly text: string;
      readonly look: StatusLook;
      readonly scheduled: Moment | undefined;
    }
  | { readonly kind: 'boolean'; readonly isOn: boolean }
  /** A part of what it stands for; all of it is shown on hover. */
  | { readonly kind: 'part'; readonly text: string; readonly whole: string; readonly isCode: boolean }
  | { readonly kind: 'records'; readonly titles: readonly string[]; readonly more: number }
  | { readonly kind: 'files'; readonly files: readonly FileView[]; readonly more: number };

/** A time, and how it is shown. */
export interface Moment {
  readonly at: string;
  readonly text: string;
}

export interface FileView {
  readonly name: string;
  /** Of a picture: a small one. */
  readonly image: string | undefined;
  readonly alt: string;
}

type Members = Readonly<Record<string, unknown>>;

/** Titles and files that are shown of many. */
const mostShown = 3;
const none: CellView = { kind: 'none' };

const isMembers = (item: unknown): item is Members => typeof item === 'object' && item !== null && !Array.isArray(item);

/**
 * How a list shows the value of a field. `now`: from when "2 hours ago" counts. `scheduledAt`: of a status, when it changes by itself; who
 * may not see that has no such value.
 */
export function cellView(field: ListField, value: unknown, now: number, scheduledAt?: unknown): CellView {
  if (value === null || value === undefined || value === '') return none;
  switch (field.kind) {
    case 'status':
      return {
        kind: 'status',
        text: valueLabel(field, plainText(value)),
        look: statusLook(plainText(value)),
        scheduled: scheduleView(scheduledAt),
      };
    case 'boolean':
      return { kind: 'boolean', isOn: value === true };
    case 'datetime':
      return timeView(plainText(value), now);
    case 'number':
      return { kind: 'number', text: plainText(value) };
    case 'relation':
    case 'relations':
      return recordsView(field, value);
    case 'media':
      return filesView(value);
    case 'tags':
      return Array.isArray(value) ? textView(value.map(plainText).join(', ')) : textView(plainText(value));
    case 'richtext':
      return textView(withoutMarkup(value));
    case 'id':
      if (value === session.account?.id) return textView(t('list.me'));
      return idView(field, plainText(value));
    case 'structure':
      if (Array.isArray(value)) return textView(t('list.items', { count: value.length }));
      return { kind: 'part', text: JSON.stringify(value).slice(0, 80), whole: '', isCode: true };
    case 'choice':
      return textView(valueLabel(field, plainText(value)));
    case 'text':
    case 'date':
    case 'time':
      return textView(plainText(value));
  }
}

/** Who wrote a record by name; otherwise the end of the id, which distinguishes it. */
function idView({ isAccount }: ListField, id: string): CellView {
  const name = isAccount ? nameOfAccount(id) : undefined;
  return name === undefined ? { kind: 'part', text: id.slice(-8), whole: id, isCode: true } : textView(name);
}

const textView = (text: string): CellView => (text === '' ? none : { kind: 'text', text });

function timeView(text: string, now: number): CellView {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return textView(text);
  return { kind: 'time', at: date.toISOString(), text: relativeTime(date, now) };
}

function scheduleView(value: unknown): Moment | undefined {
  const date = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(date.getTime())) return undefined;
  return { at: date.toISOString(), text: t('list.scheduledFor', { time: formatDateTime(date, 'datetime') }) };
}

function recordsView({ kind, target: singular }: ListField, value: unknown): CellView {
  const target = singular === null || singular === 'users' ? undefined : contentTypes.bySingular(singular);
  if (kind === 'relation') {
    if (isMembers(value)) return textView(singular === 'users' ? accountTitle(value) : recordTitle(value, target));
    return { kind: 'part', text: t('list.missing'), whole: plainText(value), isCode: false };
  }
  const many: readonly unknown[] = Array.isArray(value) ? value : [];
  if (many.length === 0) return none;
  const shown = many.filter(isMembers).slice(0, mostShown);
  if (shown.length === 0) return textView(t('list.items', { count: many.length }));
  return {
    kind: 'records',
    titles: shown.map((record) => (singular === 'users' ? accountTitle(record) : recordTitle(record, target))),
    more: many.length - shown.length,
  };
}

/** The name in the profile of an account, or how it is called otherwise. */
const accountTitle = ({ id, display_name: name }: Readonly<Record<string, unknown>>): string =>
  plainText(name) || nameOfAccount(plainText(id)) || t('list.noTitle');

function filesView(value: unknown): CellView {
  const files = (Array.isArray(value) ? value : [value]).filter(isMembers);
  if (files.length === 0) return textView(plainText(value));
  return {
    kind: 'files',
    files: files.slice(0, mostShown).map((file) => ({
      name: plainText(file.name) || plainText(file.url),
      image: thumbnail(file),
      alt: plainText(file.alt) || plainText(file.name),
    })),
    more: Math.max(0, files.length - mostShown),
  };
}

function thumbnail({ variants, mime_type }: Members): string | undefined {
  if (typeof mime_type !== 'string' || !mime_type.startsWith('image/') || !isMembers(variants)) return undefined;
  return typeof variants.thumb === 'string' ? variants.thumb : undefined;
}
