import { statusLabel } from '../../api/own-names.ts';
import type { TargetType } from './target-type.ts';

/** A record as a picker shows it. */
export interface RecordChoice {
  readonly id: string;
  readonly title: string;
  /** What distinguishes it from others with the same title: its status, or the address of an account. */
  readonly detail: string | undefined;
}

export type AnyRecord = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : undefined;

/** Of a record as the admin routes return it. */
export function recordChoice({ title, type }: TargetType, record: AnyRecord): RecordChoice {
  const id = String(record.id);
  const named = title === undefined ? undefined : text(record[title]);
  const other = text(record.username) ?? text(record.email);
  const status = text(record.status);
  const detail = (status && statusLabel(status, type)) ?? text(record.email) ?? text(record.slug);
  const shown = named ?? other ?? id;
  return { id, title: shown, detail: detail === shown ? undefined : detail };
}
