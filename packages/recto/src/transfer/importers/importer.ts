import type { FileFetcher } from '../../media/fetched-file.ts';
import type { Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { ForeignFile, ForeignValue } from './foreign-value.ts';

/** Something of the source that is not brought in, or not as it is there. */
export interface LeftOut {
  /** Where it is: `posts.title`, `data.db posts listRule`. */
  readonly place: string;
  /** Full sentences. */
  readonly why: string;
}

/** A definition as its file will have it: see `docs/content-types.md`. */
export interface PlannedDefinition {
  readonly singular: string;
  readonly plural: string;
  readonly [key: string]: JsonValue;
}

/** A field of the source and where its values go. */
export interface ForeignField {
  readonly from: string;
  /** The name of the field here, those of protocols included. */
  readonly to: string;
}

/** A record as the source has it. */
export interface ForeignRecord {
  readonly id: string;
  /** The row or line of the source, from 1. */
  readonly line: number;
  /** A canonical datetime; absent: not known. */
  readonly createdAt?: string | undefined;
  /** By the names of the source. A status, or a time of one, is a value like any other, of a field of `statusable`. */
  readonly values: Readonly<Record<string, ForeignValue>>;
  /**
   * The next version of a published record, for a type of `versionable` with `drafts`: absent values are those of the record. What differs
   * becomes the draft, in each language.
   */
  readonly draft?: ForeignDraft;
  /** What cannot be brought in of it; absent: nothing. */
  readonly errors?: readonly string[];
  /** What is brought in otherwise than the source has it, for the report: the same words for the same thing. */
  readonly remarks?: readonly string[];
  /** What the private field `__meta` keeps of it beside its id. */
  readonly meta?: Readonly<Record<string, JsonValue>>;
}

/** Changes of a record that are not published. */
export interface ForeignDraft {
  /** By the names of the source. */
  readonly values: Readonly<Record<string, ForeignValue>>;
  /** When it was last changed, a canonical datetime; absent: not known. */
  readonly at?: string | undefined;
}

/** Records of one kind: a collection, a table, a folder. */
interface ForeignRecords {
  /** As the source names it. */
  readonly from: string;
  /** The file in which its records are, for messages. */
  readonly file: string;
  readonly total: number;
  readonly fields: readonly ForeignField[];
  readonly leftOut: readonly LeftOut[];
  /** One after the other, in the same order each time. */
  records(): Iterable<ForeignRecord> | AsyncIterable<ForeignRecord>;
}

/** Records that become those of a type of their own. */
export interface NewType extends ForeignRecords {
  readonly definition: PlannedDefinition;
}

/** Records that become those of a type which every service has. */
export interface KnownType extends ForeignRecords {
  /** Its singular: `post`. */
  readonly to: string;
  /** What a file that extends the type says besides `extends`: fields of its own, or which are localized. Absent: there is no file. */
  readonly extension?: Table;
}

export type ForeignType = NewType | KnownType;

/** A role of the source. An import gives it to nobody. */
export interface ForeignRole {
  /** As the source names it. */
  readonly from: string;
  /** As its file will have it, with the types by the singulars that they have here: see `docs/roles.md`. */
  readonly definition: Table & { readonly name: string };
  readonly leftOut: readonly LeftOut[];
}

/** An account as the source has it. */
export interface ForeignAccount {
  /** The type by which references name it. */
  readonly type: string;
  readonly id: string;
  readonly line: number;
  readonly email: string | null;
  /** Whether the source has confirmed the address. */
  readonly verified: boolean;
  readonly username: string | null;
  readonly displayName: string;
  /** Null: the account cannot sign in before it gets a password. */
  readonly passwordHash: string | null;
  /** Why there is no hash, for the report. */
  readonly closedBecause?: string;
  /**
   * Whether the source has blocked them: the account is disabled, because "forgot password" would open it otherwise. An account that is here
   * already stays as it is. Default: no.
   */
  readonly disabled?: boolean;
  /** What cannot stand in a profile is left out. */
  readonly profile?: { readonly bio?: string; readonly website?: string };
  /** A canonical datetime; absent: not known. */
  readonly createdAt?: string | undefined;
}

/** The accounts of the source. They become members, also those of admins. */
export interface ForeignAccounts {
  readonly from: string;
  readonly file: string;
  readonly total: number;
  each(): Iterable<ForeignAccount> | AsyncIterable<ForeignAccount>;
}

/** What a source holds, in words of this service. */
export interface ForeignContent {
  /** Names the source in what is kept of an import, if its plan says nothing else. */
  readonly source: string;
  readonly types: readonly ForeignType[];
  readonly accounts: readonly ForeignAccounts[];
  /** Default: none. */
  readonly roles?: readonly ForeignRole[];
  /** The languages by which `ByLanguage` names values, the main one first; absent: nothing is said by language. */
  readonly languages?: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** Choices of the plan that its words explain, such as which collection becomes accounts. */
  readonly options: Readonly<Record<string, PlanOption>>;
  /** The bytes of a file, or why it cannot be taken. They may throw a `FetchFailed`. */
  open(file: ForeignFile): Promise<AsyncIterable<Uint8Array> | { readonly reason: string }>;
}

/** A choice that a plan offers. */
export interface PlanOption {
  readonly value: string;
  /** Sentences that stand above it in the plan. */
  readonly about: string;
}

/** What was chosen: by the plan, or by nobody yet. */
export type ChosenOptions = Readonly<Record<string, string>>;

/** What an import is read with. */
export interface ReadOptions {
  /** Where files are, if not with the rest. */
  readonly media?: string;
  /** Fetches files from the network; absent: that is not wanted. */
  readonly fetcher?: FileFetcher;
  /** The key of a source that is encrypted. */
  readonly key?: string;
  /** A folder for working copies. */
  readonly workFolder: string;
}

/** What the command line says of an importer. */
export interface AboutImporter {
  /** The word of the command line: `pocketbase`. */
  readonly format: string;
  /** The name of the system. */
  readonly label: string;
  /** What the command takes: `a data folder (pb_data)`. */
  readonly takes: string;
  /** Paragraphs for the help of the command. */
  readonly help: string;
}

/**
 * A system that content comes from: one folder, which only its line in `importers/index.ts` names. The planner, the writer and the ledger
 * are those of all importers.
 */
export interface Importer<Source extends Disposable = Disposable> extends AboutImporter {
  /** Whether a path looks like such a source, by its names and first bytes. */
  detect(path: string): boolean;
  /** Opens and checks the source. Throws a `TransferRefused` for one that is damaged, or none. */
  read(path: string, options: ReadOptions): Promise<Source>;
  /** What the source holds. Reads nothing that is long. */
  map(source: Source, chosen: ChosenOptions): ForeignContent;
}

/** Declares an importer. */
export const defineImporter = <Source extends Disposable>(importer: Importer<Source>): Importer =>
  // True because a source is only handed from the `read` of an importer to its own `map`.
  importer as unknown as Importer;
