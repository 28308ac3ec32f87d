import type { Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** A reference to another record of the source. It becomes the id of the record here, or null where that is not brought in. */
export class ForeignRef {
  readonly type: string;
  readonly id: string;

  /** `type` is named as the source names it; accounts have types too. */
  constructor(type: string, id: string) {
    this.type = type;
    this.id = id;
  }
}

/** A file of the source. It becomes the id of a record of media, or null where the file cannot be taken. */
export class ForeignFile {
  /** Names the file in the source, the same each time: a file with the same key is taken once. */
  readonly key: string;
  /** As people know it. */
  readonly name: string;
  readonly about: AboutFile;

  constructor(key: string, name: string, about: AboutFile = {}) {
    this.key = key;
    this.name = name;
    this.about = about;
  }
}

/** What a source says of a file. */
export interface AboutFile {
  /** Default: `public`. */
  readonly visibility?: 'public' | 'private';
  readonly alt?: string | null;
  readonly caption?: string | null;
  /** A canonical datetime. */
  readonly createdAt?: string;
}

/** A text in which addresses of files stand. */
export class TextWithFiles {
  /** The pieces in their order. A file becomes its address here; `otherwise` stands in its place where it is not taken. */
  readonly pieces: readonly (string | { readonly file: ForeignFile; readonly otherwise: string })[];

  constructor(pieces: TextWithFiles['pieces']) {
    this.pieces = pieces;
  }
}

/** An item of blocks. It gets the same id each time, so that the draft of a record has the blocks of the record. */
export class ForeignBlock {
  /** The name that the definition gives blocks of its kind. */
  readonly block: string;
  /** Names the block in the source, once in all its content. */
  readonly key: string;
  /** By the names that the definition gives its fields. */
  readonly values: { readonly [name: string]: ForeignValue };

  constructor(block: string, key: string, values: ForeignBlock['values']) {
    this.block = block;
    this.key = key;
    this.values = values;
  }
}

/** What a field says in several languages. It is a value of a field alone, and stands inside no other value. */
export class ByLanguage {
  /** By the languages as `ForeignContent.languages` names them. One that says nothing is left out. */
  readonly values: ReadonlyMap<string, ForeignValue>;

  constructor(values: ReadonlyMap<string, ForeignValue>) {
    this.values = values;
  }
}

/** A value of a record as its source has it: JSON, with references, files and blocks anywhere in it. */
export type ForeignValue =
  | string
  | number
  | boolean
  | null
  | ForeignRef
  | ForeignFile
  | ForeignBlock
  | ByLanguage
  | TextWithFiles
  | readonly ForeignValue[]
  | { readonly [name: string]: ForeignValue };

/** What stands for references and files in a value. Undefined: it is left out, as an item of an array or as a value. */
export interface Resolution {
  /** The id of a block. */
  block(key: string): string;
  ref(ref: ForeignRef): string | undefined;
  file(file: ForeignFile): { readonly id: string; readonly url: string } | undefined;
}

/** The value in JSON. What is not brought in is null, and is no item of an array. */
export function resolved(value: ForeignValue, resolution: Resolution): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof ForeignRef) return resolution.ref(value) ?? null;
  if (value instanceof ForeignFile) return resolution.file(value)?.id ?? null;
  if (value instanceof TextWithFiles) {
    return value.pieces
      .map((piece) => (typeof piece === 'string' ? piece : (resolution.file(piece.file)?.url ?? piece.otherwise)))
      .join('');
  }
  if (value instanceof ForeignBlock) {
    const { block, key, values } = value;
    return { block, id: resolution.block(key), ...resolvedTable(values, resolution) };
  }
  if (value instanceof ByLanguage) throw new Error('A value by language stands inside another value.');
  if (Array.isArray(value)) {
    // True because the classes above are no arrays.
    const items = value as readonly ForeignValue[];
    return items.flatMap((item) => {
      const found = resolved(item, resolution);
      return found === null && (item instanceof ForeignRef || item instanceof ForeignFile) ? [] : [found];
    });
  }
  // True because nothing else is left of the union.
  return resolvedTable(value as { readonly [name: string]: ForeignValue }, resolution);
}

const resolvedTable = (table: { readonly [name: string]: ForeignValue }, resolution: Resolution): Table =>
  Object.fromEntries(Object.entries(table).map(([name, inner]) => [name, resolved(inner, resolution)]));

/** The files in a value, and whether a text alone names them: the field of a file knows more of it. */
export function* filesIn(value: ForeignValue): Generator<{ readonly file: ForeignFile; readonly isMention: boolean }> {
  if (value === null || typeof value !== 'object' || value instanceof ForeignRef) return;
  if (value instanceof ForeignFile) yield { file: value, isMention: false };
  else if (value instanceof TextWithFiles) {
    for (const piece of value.pieces) if (typeof piece !== 'string') yield { file: piece.file, isMention: true };
  } else if (value instanceof ByLanguage) for (const inner of value.values.values()) yield* filesIn(inner);
  else for (const inner of Object.values(value instanceof ForeignBlock ? value.values : value)) yield* filesIn(inner);
}
