import { SvelteMap } from 'svelte/reactivity';
import { type Calendar, type CalendarDay, type CalendarEntry, calendarRoute } from '../../api/calendar-routes.ts';
import { contentTypes } from '../../api/content-types.svelte.ts';
import { createQuery, errorText, invalidate } from '../../api/query.svelte.ts';
import { navigate, place } from '../../app/navigation.svelte.ts';
import { session } from '../../app/session.svelte.ts';
import { chosenZone } from '../../fields/date/chosen-zone.svelte.ts';
import { localeCode, t } from '../../text/text.ts';
import { clock } from '../../ui/clock.svelte.ts';
import { toast } from '../../ui/toasts.svelte.ts';
import {
  type CalendarDate,
  type CalendarView,
  calendarViews,
  daysLater,
  firstWeekday,
  isDate,
  rangeOf,
  todayIn,
} from './calendar-range.ts';
import { entryKey, entryTitle, momentText } from './calendar-words.ts';
import { MovedMeanwhile, moveEntry, timeOnDay } from './move-entry.ts';

/** What a day shows. */
export interface ShownDay {
  readonly date: CalendarDate;
  readonly entries: readonly CalendarEntry[];
  /** Of the day, also those that are not in `entries`. */
  readonly total: number;
}

/** The entries of one day that are asked for. */
const perDay = 20;

/** Which days the calendar shows, what is on them, and how that is moved. */
export class CalendarDesk {
  readonly zone = $derived.by(() => chosenZone());
  readonly today = $derived.by(() => todayIn(this.zone, clock.now));
  readonly view = $derived.by(
    (): CalendarView => calendarViews.find((each) => each === place.query.get('view')) ?? 'month',
  );
  readonly date = $derived.by((): CalendarDate => {
    const named = place.query.get('date');
    return isDate(named) ? named : this.today;
  });
  /** The singular of a type, or `release`; empty: everything. */
  readonly only = $derived.by(() => place.query.get('only') ?? '');
  readonly range = $derived.by(() => rangeOf(this.view, this.date, firstWeekday(localeCode())));
  readonly found;
  /** Times that were just set, by the keys of their entries, until the calendar is loaded again. */
  readonly #moved = new SvelteMap<string, string>();
  isMoving = $state(false);

  readonly days = $derived.by((): readonly ShownDay[] => {
    const { from, to } = this.range;
    const entries = this.#entriesByDate();
    const totals = new Map(this.found.data?.days.map((day) => [day.date, day]));
    const days: ShownDay[] = [];
    for (let date = from; date < to; date = daysLater(date, 1)) {
      const own = entries.get(date) ?? [];
      days.push({ date, entries: own, total: own.length + (totals.get(date)?.left_out ?? 0) });
    }
    return days;
  });

  /** Call it while a component is set up. */
  constructor() {
    this.found = createQuery<Calendar>(() => {
      const { range, zone, only } = this;
      const narrowed: Readonly<Record<string, string>> =
        only === '' ? {} : only === 'release' ? { kind: 'release' } : { type: only };
      return {
        key: ['calendar', range.from, range.to, zone, only],
        load: (signal) => calendarRoute({ ...range, time_zone: zone, per_day: perDay, ...narrowed }, signal),
        keepsPrevious: true,
      };
    });
  }

  #entriesByDate(): ReadonlyMap<CalendarDate, readonly CalendarEntry[]> {
    const { data } = this.found;
    const items = (data?.items ?? []).map((entry) => ({ ...entry, at: this.#moved.get(entryKey(entry)) ?? entry.at }));
    const dateOf = ({ at }: CalendarEntry): CalendarDate =>
      data?.days.find((day: CalendarDay) => day.from <= at && at < day.to)?.date ?? '';
    return Map.groupBy(
      items.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
      dateOf,
    );
  }

  /** Shows other days, or the same ones in another way. */
  show(change: { readonly view?: CalendarView; readonly date?: CalendarDate; readonly only?: string }): void {
    const { view = this.view, date = this.date, only = this.only } = change;
    const query = new URLSearchParams({
      ...(view === 'month' ? {} : { view }),
      ...(date === this.today ? {} : { date }),
      ...(only === '' ? {} : { only }),
    });
    navigate(query.size === 0 ? '/calendar' : `/calendar?${query}`);
  }

  /** Moves an entry to another day, at the same time of day. Returns whether it is there. */
  moveToDay(entry: CalendarEntry, date: CalendarDate): Promise<boolean> {
    return this.move(entry, timeOnDay(entry.at, date, this.zone));
  }

  /** Gives an entry another time, and offers the way back. Returns whether it has it; what speaks against it is reported. */
  async move(entry: CalendarEntry, at: string, isUndo = false): Promise<boolean> {
    if (at === entry.at || this.isMoving) return false;
    // A status or release whose time is past would change at once.
    if (entry.kind !== 'due' && Date.parse(at) <= Date.now()) {
      toast(t('calendar.past'), { kind: 'error' });
      return false;
    }
    const [key, title] = [entryKey(entry), entryTitle(entry)];
    const type = entry.type === null ? undefined : contentTypes.bySingular(entry.type);
    this.isMoving = true;
    this.#moved.set(key, at);
    try {
      await moveEntry(session.client, entry, at, type);
      const undo = { label: t('calendar.undo'), run: () => void this.move({ ...entry, at }, entry.at, true) };
      const time = momentText(at, this.zone);
      if (isUndo) toast(t('calendar.movedBack', { title, time }), { about: key });
      else toast(t('calendar.moved', { title, time }), { about: key, action: undo });
      return true;
    } catch (error) {
      const isConflict = error instanceof MovedMeanwhile;
      toast(isConflict ? t('calendar.conflict', { title }) : errorText(error), { kind: 'error', about: key });
      return false;
    } finally {
      this.isMoving = false;
      if (type !== undefined) invalidate(['list', type.plural]);
      await this.found.reload();
      this.#moved.delete(key);
      invalidate(['calendar']);
    }
  }
}
