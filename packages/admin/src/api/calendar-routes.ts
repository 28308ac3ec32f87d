import { session } from '../app/session.svelte.ts';

export type CalendarKind = 'status' | 'release' | 'due';

export interface CalendarEntry {
  readonly kind: CalendarKind;
  /** An instant. */
  readonly at: string;
  /** The singular of a content type; null for a release. */
  readonly type: string | null;
  readonly id: string;
  readonly title: string | null;
  readonly language: string | null;
  readonly status: string | null;
  readonly becomes: string | null;
}

export interface CalendarDay {
  readonly date: string;
  /** Instants. */
  readonly from: string;
  readonly to: string;
  readonly total: number;
  readonly left_out: number;
}

export interface Calendar {
  readonly days: readonly CalendarDay[];
  readonly items: readonly CalendarEntry[];
  readonly total: number;
  readonly left_out: number;
}

export const calendarRoute = (query: Readonly<Record<string, string | number>>, signal: AbortSignal) =>
  session.client.request<Calendar>('GET', '/admin/calendar', { query, signal });
