/** To be preloaded by a process of the tests: its clock is ahead by so many milliseconds as `RECTO_TEST_CLOCK_AHEAD_MS` says. */

const aheadMs = Number(process.env.RECTO_TEST_CLOCK_AHEAD_MS ?? 0);
const OwnDate = Date;
const ownIds = Bun.randomUUIDv7;

class OtherDate extends OwnDate {
  constructor(...parts: readonly (string | number | Date)[]) {
    // Whatever the constructor takes, it is handed on.
    super(...((parts.length === 0 ? [OtherDate.now()] : parts) as [string | number | Date]));
  }

  static override now(): number {
    return OwnDate.now() + aheadMs;
  }
}

// True where it is used: nothing here calls `Date` as a function.
globalThis.Date = OtherDate as DateConstructor;
// True because nothing here asks for other than text.
Bun.randomUUIDv7 = ((encoding: 'hex' = 'hex', time: number | Date = OtherDate.now()) =>
  ownIds(encoding, time)) as typeof Bun.randomUUIDv7;
