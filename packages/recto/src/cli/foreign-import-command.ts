import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPasswordHasher } from '../auth/password-hasher.ts';
import { FatalError } from '../base/fatal-error.ts';
import { OutboundTargets } from '../base/net/outbound-targets.ts';
import { printable } from '../base/printable.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import { readAll } from '../base/terminal-input.ts';
import { readSettings, type Settings, settingsFileName } from '../config/settings.ts';
import { FileStore } from '../media/file-store.ts';
import { readDeployed } from '../service/definitions.ts';
import { loadServed } from '../service/served-types.ts';
import { openStorage, storageLocation } from '../storage/open-storage.ts';
import { importForeign } from '../transfer/importers/import-foreign.ts';
import { readImportMap } from '../transfer/importers/import-map.ts';
import { importMapName } from '../transfer/importers/import-map-name.ts';
import type { ForeignContent, Importer, LeftOut, ReadOptions } from '../transfer/importers/importer.ts';
import type { ImporterEntry } from '../transfer/importers/index.ts';
import { planSource } from '../transfer/importers/plan-source.ts';
import {
  definitionFile,
  type ForeignPlan,
  importMapText,
  leftOutOf,
  roleFile,
} from '../transfer/importers/plan-text.ts';
import { fileAt } from '../transfer/transfer-file.ts';
import { type ImportOptions, runImport } from './import-command.ts';
import { transferFailure } from './transfer-failure.ts';

export interface ForeignImportOptions extends ImportOptions {
  /** Writes a plan, and imports nothing. */
  readonly plan?: boolean;
  /** `name=value`, of the options that a plan offers. */
  readonly set: readonly string[];
  /** A file with the plan. */
  readonly map?: string;
  /** The folder of files. */
  readonly media?: string;
  /** Fetches files that are not in it. */
  readonly fetch?: boolean;
  readonly skipErrors?: boolean;
  /** Reads the key of an encrypted source from stdin. */
  readonly keyStdin?: boolean;
}

/** `recto import KIND SOURCE`. Resolves with the exit code. */
export async function importForeignSource(
  terminal: Terminal,
  entry: ImporterEntry,
  path: string,
  options: ForeignImportOptions,
): Promise<number> {
  const { map, plan } = options;
  if ((plan === true) === (map !== undefined) || (plan !== true && options.set.length > 0)) {
    terminal.err(`Give either --plan, with --set if you like, or --map with a plan that --plan has written.\n`);
    return exitCodes.usage;
  }
  if (options.media !== undefined && !existsSync(options.media)) {
    terminal.err(`There is no folder ${options.media}.\n`);
    return exitCodes.refused;
  }
  const importer = await entry.load();
  const key = options.keyStdin === true ? (await readAll()).trim() : '';
  const read = {
    ...(options.media === undefined ? {} : { media: options.media }),
    ...(key === '' ? {} : { key }),
  };
  if (map === undefined) return writePlan(terminal, importer, path, { ...options, read });
  return runImport(terminal, options, async ({ database, types, settings, workFolder }, bar) => {
    const file = fileAt(map);
    const report = await importForeign({
      ...{ importer, path, database, types, workFolder },
      read: {
        ...read,
        ...(options.fetch === true ? { fetcher: { targets: new OutboundTargets(settings.webhooksAllow) } } : {}),
      },
      map: readImportMap(await Bun.file(map).text(), file.name),
      passwords: createPasswordHasher(),
      media: {
        storage: openStorage(storageLocation(settings), terminal.environment),
        store: new FileStore(database.dialect),
        limits: { maxBytes: settings.mediaMaxFile, types: settings.mediaTypes },
      },
      dryRun: options.dryRun === true,
      errors: options.skipErrors === true ? 'leave_out' : 'refuse',
      progress: bar.report,
    });
    return { ...report, source: importer.label };
  });
}

/** What `--plan` has written, as `--json` prints it. */
interface WrittenPlan {
  readonly files: readonly string[];
  readonly types: readonly { readonly from: string; readonly to: string; readonly records: number }[];
  readonly accounts: readonly { readonly from: string; readonly accounts: number }[];
  /** What RECTO_LANGUAGES has to be before the import; absent: it is. */
  readonly needed_languages?: string;
  readonly left_out: readonly LeftOut[];
}

async function writePlan(
  terminal: Terminal,
  importer: Importer,
  path: string,
  { read, set, json }: ForeignImportOptions & { readonly read: Pick<ReadOptions, 'media' | 'key'> },
): Promise<number> {
  const workFolder = mkdtempSync(join(tmpdir(), 'recto-plan-'));
  try {
    const settings = readSettings(terminal.environment, settingsFileName);
    const deployed = await readDeployed(settings);
    const { types: existing } = await loadServed(settings);
    using source = await importer.read(path, { workFolder, ...read });
    const content = importer.map(source, chosenOptions(set));
    const planned = planSource(content, deployed, existing);
    const written = writeFiles(plannedFiles(planned, content, importer, settings));
    const result: WrittenPlan = {
      files: written,
      types: planned.types.map(({ type, to }) => ({ from: type.from, to, records: type.total })),
      accounts: content.accounts.map(({ from, total }) => ({ from, accounts: total })),
      ...(planned.neededLanguages === undefined ? {} : { needed_languages: planned.neededLanguages }),
      left_out: leftOutOf(planned),
    };
    terminal.out(json === true ? `${JSON.stringify(result, null, 2)}\n` : printable(planText(importer, path, result)));
    return exitCodes.done;
  } catch (error) {
    const message = transferFailure(error);
    if (message === undefined) throw error;
    terminal.err(`${message}\n`);
    return exitCodes.refused;
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

const plannedFiles = (
  planned: ForeignPlan,
  content: ForeignContent,
  importer: Importer,
  { contentTypesDir, rolesDir }: Pick<Settings, 'contentTypesDir' | 'rolesDir'>,
) => [
  { path: importMapName, text: importMapText(importer, content, planned) },
  ...planned.types.flatMap((type) => {
    const file = definitionFile(type, importer.label);
    return file === undefined ? [] : [{ path: join(contentTypesDir, file.name), text: file.text }];
  }),
  ...planned.roles.map((role) => {
    const { name, text } = roleFile(role, importer.label);
    return { path: join(rolesDir, name), text };
  }),
];

function chosenOptions(set: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    set.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new FatalError(`--set ${text}: write it as name=value.`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** Writes new files, all of them or none. */
function writeFiles(files: readonly { readonly path: string; readonly text: string }[]): readonly string[] {
  const there = files.filter(({ path }) => existsSync(path)).map(({ path }) => path);
  if (there.length > 0)
    throw new FatalError(`There is ${there.join(', ')} already. Remove it to plan again, or import with --map.`);
  const written: string[] = [];
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: 'wx' });
      written.push(path);
    }
  } catch (error) {
    for (const path of written) rmSync(path, { force: true });
    throw error;
  }
  return written;
}

function planText(
  { format, label }: Importer,
  path: string,
  { files, types, left_out: leftOut, accounts, needed_languages: languages }: WrittenPlan,
): string {
  return [
    `Plan for ${label}`,
    '',
    ...types.map(({ from, to, records }) => `  ${from} → ${to} (${records} records)`),
    ...accounts.map((each) => `  ${each.from} → accounts (${each.accounts}); they become members`),
    ...(leftOut.length === 0 ? [] : ['', 'Left out', ...leftOut.map(({ place, why }) => `  ${place}: ${why}`)]),
    ...['', 'Written', ...files.map((file) => `  ${file}`)],
    ...(languages === undefined ? [] : ['', `Set before the import: RECTO_LANGUAGES=${languages}`]),
    ...['', `Look through these files. Then: recto import ${format} ${path} --map ${importMapName}`, ''],
  ].join('\n');
}
