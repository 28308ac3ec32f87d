import { resolve } from 'node:path';
import { countOf } from '../../base/count-of.ts';
import { FatalError } from '../../base/fatal-error.ts';
import type { Terminal } from '../../base/terminal.ts';
import { UsageFault } from '../../base/usage-fault.ts';
import type { Settings } from '../../config/settings.ts';
import { DefinitionFilesWriter, type NewFile } from '../../content-types/definition-files-writer.ts';
import { DefinitionStore } from '../../content-types/definition-store.ts';
import { type DefinitionFormat, definitionText } from '../../content-types/definition-text.ts';
import { RoleStore } from '../../content-types/roles/role-store.ts';
import type { StoredDefinition } from '../../content-types/stored-definition.ts';
import type { Database } from '../../database/database.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { readDeployed } from '../../service/definitions.ts';
import { servedTypes } from '../../service/served-types.ts';
import { type AnswerOptions, answer } from '../answer.ts';
import { settingsOfExisting, withDatabase } from '../existing-database.ts';
import { noSuchTypes } from './schema-command.ts';

export interface SchemaExportOptions extends AnswerOptions {
  readonly to?: string;
  readonly format: DefinitionFormat;
  readonly force?: boolean;
  /** Hand the types over to the files. */
  readonly move?: boolean;
}

/** `recto schema export`: writes types that were created through the API as files. Resolves with the exit code. */
export const exportSchema = (
  terminal: Terminal,
  names: readonly string[],
  options: SchemaExportOptions,
): Promise<number> =>
  answer(terminal, options, async () => {
    const settings = settingsOfExisting(terminal);
    const move = options.move === true;
    const folder = targetFolder(settings, options);
    const deployed = await readDeployed(settings);
    return withDatabase(terminal, async (database) => {
      const stored = await new DefinitionStore(database.dialect).all(database);
      const roles = await new RoleStore(database.dialect).all(database);
      const chosen = chosenOf(stored, names, servedTypes(deployed, { stored, roles }).types, move);
      const files = chosen.map((each) => newFile(each, options.format));
      const writer = await DefinitionFilesWriter.prepare(folder, files, options.force === true);
      writer.write();
      if (move) await handOver(database, chosen, writer);
      writer.place();
      const written = new Set(writer.names);
      return {
        text: exportText(folder, files, written, move),
        json: {
          folder,
          files: files.map(({ singular, name }) => ({ singular, file: name, written: written.has(name) })),
        },
      };
    });
  });

function targetFolder({ contentTypesDir }: Settings, { to, move }: SchemaExportOptions): string {
  if (to === undefined && move !== true) {
    throw new UsageFault('Say where to with --to FOLDER, or leave the types to the files of the service with --move.');
  }
  const folder = to ?? contentTypesDir;
  if (move !== true && resolve(folder) === resolve(contentTypesDir)) {
    throw new UsageFault(
      `${folder} is where the service reads its definitions, and it would have these types twice: add --move, or name another folder.`,
    );
  }
  return folder;
}

/** The types to write: those named, or all that are served from the database. */
function chosenOf(
  stored: readonly StoredDefinition[],
  names: readonly string[],
  types: ContentTypes,
  move: boolean,
): readonly StoredDefinition[] {
  const unknown = names.filter((name) => !stored.some(({ singular }) => singular === name));
  const fromFiles = unknown.flatMap((name) => types.find(name) ?? []);
  if (unknown.length > fromFiles.length) {
    throw noSuchTypes(
      unknown.filter((name) => types.find(name) === undefined),
      types.all,
    );
  }
  const [first] = fromFiles;
  if (first !== undefined) {
    throw new FatalError(`"${first.singular}" was not created through the API: it comes from ${first.source}.`);
  }
  if (names.length > 0) return stored.filter(({ singular }) => names.includes(singular));
  // Finishes an earlier move that was interrupted.
  return stored.filter(
    ({ singular, keeper }) => types.find(singular)?.stored === true || (move && keeper === 'handover'),
  );
}

function newFile({ singular, definition }: StoredDefinition, wanted: DefinitionFormat): NewFile {
  const { format, text } = definitionText(definition, wanted);
  return { singular, definition, name: `${singular}.${format}`, text };
}

/** One transaction: afterwards the types can no longer be changed through the API, and are served from the database until the files are read. */
async function handOver(
  database: Database,
  chosen: readonly StoredDefinition[],
  writer: DefinitionFilesWriter,
): Promise<void> {
  const store = new DefinitionStore(database.dialect);
  const moment = { author: null, now: new Date().toISOString() };
  try {
    await database.transaction(async (transaction) => {
      const current = new Map((await store.all(transaction)).map((each) => [each.singular, each]));
      for (const each of chosen) {
        const now = current.get(each.singular);
        if (now?.revision !== each.revision) {
          throw new FatalError(`"${each.singular}" was changed at this very moment; run the command again.`);
        }
        if (now.keeper === 'api') await store.handOver(transaction, now, moment);
      }
    });
  } catch (error) {
    writer.discard();
    throw error;
  }
}

function exportText(folder: string, files: readonly NewFile[], written: ReadonlySet<string>, move: boolean): string {
  if (files.length === 0) return 'No content type was created through the API.\n';
  const width = Math.max(...files.map(({ name }) => name.length));
  const lines = files.map(({ name }) =>
    `  ${name.padEnd(width)}${written.has(name) ? '' : '  was there already'}`.trimEnd(),
  );
  const last = move ? ['', 'They belong to the files now: a service takes them from there with its next start.'] : [];
  return [`${countOf(files.length, 'content type')} in ${folder}`, ...lines, ...last, ''].join('\n');
}
