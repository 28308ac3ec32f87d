/** What a `User-Agent` says to a person. */
export interface Device {
  readonly browser: string;
  readonly system: string | undefined;
}

/** In this order: most browsers name others too. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Vivaldi\//, 'Vivaldi'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** The device behind a `User-Agent`; a program's own words where it is no browser; undefined where nothing is known. */
export function deviceOf(agent: string | null): Device | undefined {
  if (agent === null || agent.trim() === '') return undefined;
  const find = (all: typeof browsers) => all.find(([pattern]) => pattern.test(agent))?.[1];
  return { browser: find(browsers) ?? agent.slice(0, 60), system: find(systems) };
}
