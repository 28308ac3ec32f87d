/** A moment's date and time of day in a zone, as `<input type="datetime-local">` writes them. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', era: 'short' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  formats.set(zone, made);
  return made;
}

/** Milliseconds that a zone's clocks are ahead of UTC at a moment. */
function offsetAt(moment: number, zone: string): number {
  const parts = Object.fromEntries(
    formatIn(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second, era } = parts;
  const date = new Date(0);
  date.setUTCFullYear(era === 'BC' ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  return date.getTime() - Math.floor(moment / 1000) * 1000;
}

const utc = (local: string): number => Date.parse(`${local}Z`);

/** An instant as the clocks of a zone show it: `2026-11-21T10:00`, with seconds and milliseconds where there are any. */
export function localTime(instant: string, zone: string): string {
  const moment = Date.parse(instant);
  if (Number.isNaN(moment)) return '';
  const iso = new Date(moment + offsetAt(moment, zone)).toISOString().slice(0, -1);
  if (!iso.endsWith('.000')) return iso;
  return iso.endsWith(':00.000') ? iso.slice(0, 16) : iso.slice(0, 19);
}

/**
 * The instant at which the clocks of a zone show this, in UTC with milliseconds, or undefined if the text is no time. An hour that
 * they show twice means the first one; one that they skip, the same distance behind the change.
 */
export function instantOf(local: string, zone: string): string | undefined {
  const wanted = utc(local.length === 16 ? `${local}:00` : local);
  if (Number.isNaN(wanted)) return undefined;
  const day = 86_400_000;
  const [before, after] = [offsetAt(wanted - day, zone), offsetAt(wanted + day, zone)];
  const candidates = [wanted - before, wanted - after].filter((moment) => moment + offsetAt(moment, zone) === wanted);
  const moment = candidates.length === 0 ? wanted - before : Math.min(...candidates);
  return new Date(moment).toISOString();
}

/** How far a zone's clocks are ahead of UTC at an instant: `UTC+01:00`. */
export function offsetText(instant: string, zone: string): string {
  const minutes = Math.round(offsetAt(Date.parse(instant), zone) / 60_000);
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

let own: string | undefined;

/** The zone of this browser. */
export function ownZone(): string {
  own ??= new Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';
  return own;
}
