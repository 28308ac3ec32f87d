/** The files that open the admin without the service. The build writes it in front of the service worker. */
export interface Shell {
  /** Changes with every file of the build. */
  readonly version: string;
  /** Paths of what every page needs and of the screen that is shown offline, such as `/admin/assets/start-1f.js`. */
  readonly files: readonly string[];
  /** Paths of the texts of each language but English, by its code. */
  readonly languages: Readonly<Record<string, readonly string[]>>;
}
