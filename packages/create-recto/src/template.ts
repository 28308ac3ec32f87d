/** What a new project begins with. */
export interface Template {
  readonly name: string;
  /** One line, for those who choose. */
  readonly description: string;
  /** The texts of its definitions, by file name. */
  readonly contentTypes: Readonly<Record<string, string>>;
  /** The texts of its roles, by file name. */
  readonly roles: Readonly<Record<string, string>>;
  /** The texts of its hooks, by file name. */
  readonly hooks: Readonly<Record<string, string>>;
  /** A program that reads content with the typed client. */
  readonly client: string;
  /** Further scripts of its package.json. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Further lines of its README. */
  readonly readme: string;
}
