import type { Protocol } from './protocol.ts';

/** A place in a file; both from 1. */
export interface SourcePlace {
  readonly line: number;
  readonly column?: number;
}

/** A definition as somebody wrote it, before any check. */
export interface DefinitionSource {
  /** The name in errors and in `ContentType.source`. */
  readonly file: string;
  /** Anything at all: the check finds out. */
  readonly definition: unknown;
  /** Where a path such as `fields[2].max_length` stands in the file. Called for errors only. */
  locate?(path: string): SourcePlace | undefined;
  /** A path of the definition as the file has it, where the two differ. */
  ownPath?(path: string): string;
  /** Given by definitions that ship with the product: protocols that no definition can name. */
  readonly builtIn?: {
    readonly protocols: readonly Protocol[];
    /** What `extends` may set besides fields. */
    readonly configurable?: readonly 'api'[];
    /** The fields that `extends` may localize; absent: records of the type say the same in all languages. */
    readonly localizable?: readonly string[];
    /** Its protocols where each language is published by itself, if `extends` says so; absent: it cannot. */
    readonly byLanguage?: readonly Protocol[];
    /** Its records have the generated routes; absent: a feature has routes for them. */
    readonly generatedRoutes?: true;
  };
  /** In place of those of `builtIn`, which is the same whatever extends the type. */
  readonly protocols?: readonly Protocol[];
  /** What adds fields to it, of which they are a part here. */
  readonly extendedBy?: DefinitionSource;
  /** Made through the API, and kept in the database. */
  readonly stored?: true;
}
