import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';
import type { DefinitionFiles } from '../definition/definition-folder.ts';
import { readDefinitionFiles } from '../definition/load-definitions.ts';
import type { JsonValue } from '../values/value-kind.ts';
import { sameDefinition } from './definition-text.ts';
import { singularOf } from './stored-definition.ts';

/** A definition to export as a file. */
export interface NewFile {
  readonly singular: string;
  readonly definition: JsonValue;
  /** `ticket.toml`. */
  readonly name: string;
  readonly text: string;
}

/**
 * Writes definitions into a folder as files, all or none: first under temporary names that no start reads, then under their
 * final names. A file that already has the same content stays as it is.
 */
export class DefinitionFilesWriter {
  readonly #folder: string;
  readonly #files: readonly NewFile[];
  #written: readonly NewFile[] = [];

  /** Rejects with a `FatalError` where the file, or another file with the type, exists and may not be replaced. */
  static async prepare(folder: string, files: readonly NewFile[], force: boolean): Promise<DefinitionFilesWriter> {
    const there = await readDefinitionFiles(folder);
    const missing = files.filter((file) => !isThere(file, there));
    const inTheWay = missing.flatMap((file) => obstacle(file, folder, there, force) ?? []);
    if (inTheWay.length > 0) throw new FatalError(`Nothing was written:\n${inTheWay.join('\n')}`);
    return new DefinitionFilesWriter(folder, missing);
  }

  private constructor(folder: string, files: readonly NewFile[]) {
    this.#folder = folder;
    this.#files = files;
  }

  /** The names of the files to write, without those that exist already. */
  get names(): readonly string[] {
    return this.#files.map(({ name }) => name);
  }

  /** Does everything that can fail for lack of space or permissions. */
  write(): void {
    try {
      mkdirSync(this.#folder, { recursive: true });
      for (const file of this.#files) {
        this.#written = [...this.#written, file];
        const descriptor = openSync(this.#hidden(file), 'w');
        writeFileSync(descriptor, file.text);
        fsyncSync(descriptor);
        closeSync(descriptor);
      }
    } catch (error) {
      this.discard();
      const reason = error instanceof Error ? error.message : String(error);
      throw new FatalError(`The definitions cannot be written to ${this.#folder}: ${reason}`, error);
    }
  }

  discard(): void {
    for (const file of this.#written) rmSync(this.#hidden(file), { force: true });
  }

  /** Moves the written files to their final names. */
  place(): void {
    for (const file of this.#files) renameSync(this.#hidden(file), join(this.#folder, file.name));
  }

  /** Files whose names begin with a dot are not read as definitions. */
  #hidden({ name }: NewFile): string {
    return join(this.#folder, `.${name}.new`);
  }
}

const isThere = ({ singular, definition }: NewFile, { sources }: DefinitionFiles): boolean =>
  sources.some((source) => singularOf(source.definition) === singular && sameDefinition(source.definition, definition));

function obstacle(
  { singular, name }: NewFile,
  folder: string,
  { sources }: DefinitionFiles,
  force: boolean,
): string | undefined {
  const other = sources.find((source) => source.file !== name && singularOf(source.definition) === singular);
  if (other !== undefined) return `  ${join(folder, other.file)} defines "${singular}" already, and differently`;
  if (force || !existsSync(join(folder, name))) return undefined;
  return `  ${join(folder, name)} is there already; --force replaces it`;
}
