import { ownZone } from './zoned.ts';

const storedAs = 'recto.time-zone';

function stored(): string | undefined {
  try {
    const zone = localStorage.getItem(storedAs);
    if (zone === null) return undefined;
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    // No storage, or a zone that this browser doesn't know.
    return undefined;
  }
}

let chosen = $state(stored());

/** The time zone in which this person edits instants: the one they chose here last, else that of the browser. */
export const chosenZone = (): string => chosen ?? ownZone();

/** For all fields of instants, and the next visit. */
export function chooseZone(zone: string): void {
  chosen = zone;
  try {
    localStorage.setItem(storedAs, zone);
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** Zones to choose from: this one, the browser's and UTC first. */
export function knownZones(zone: string): readonly string[] {
  return [...new Set([zone, ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
