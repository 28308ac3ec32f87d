import { existsSync } from 'node:fs';
import { createPasswordHasher } from '../auth/password-hasher.ts';
import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import { OutboundTargets } from '../base/net/outbound-targets.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import { FileStore } from '../media/file-store.ts';
import { refreshStatistics } from '../migrations/data/table-statistics.ts';
import { openStorage, storageLocation } from '../storage/open-storage.ts';
import { csvFiles, csvMatch } from '../transfer/csv/csv-files.ts';
import { type CsvPlan, readPlan } from '../transfer/csv/csv-plan.ts';
import { detectPlan } from '../transfer/csv/detect-plan.ts';
import { importRecords } from '../transfer/json/import-records.ts';
import { typeNamed, typeNames } from '../transfer/json/record-file-name.ts';
import { recordFilesAt } from '../transfer/json/record-files.ts';
import { mediaFolder } from '../transfer/media/export-files.ts';
import { fileAt } from '../transfer/transfer-file.ts';
import { TransferRefused } from '../transfer/transfer-refused.ts';
import type { TransferReport } from '../transfer/transfer-report.ts';
import type { FileSource } from '../transfer/wordpress/import-attachments.ts';
import { importWordpress, whyNothing } from '../transfer/wordpress/import-wordpress.ts';
import { ProgressBar } from './progress-bar.ts';
import { type TransferDatabase, withTransferDatabase } from './transfer-database.ts';
import { transferFailure } from './transfer-failure.ts';
import { transferSummary } from './transfer-summary.ts';

export interface ImportOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Where the files of a WordPress site come from; neither: they are not brought in. */
export interface FileOptions {
  readonly uploads?: string;
  readonly fetch?: boolean;
}

/** What becomes of the languages of a WordPress site. */
export interface LanguageOptions {
  readonly skipOtherLanguages?: boolean;
}

/** `recto import wordpress`. Resolves with the exit code. */
export const importWordpressFile = (
  terminal: Terminal,
  file: string,
  options: ImportOptions & FileOptions & LanguageOptions,
): Promise<number> =>
  runImport(
    terminal,
    options,
    async (parts, bar) => {
      const { database, types, workFolder } = parts;
      const source = fileAt(file);
      return importWordpress({
        ...{ file: source, database, types, workFolder },
        ...(options.uploads === undefined && options.fetch !== true
          ? {}
          : { uploads: filesOf(options, parts, terminal) }),
        passwords: createPasswordHasher(),
        dryRun: options.dryRun === true,
        otherLanguages: options.skipOtherLanguages === true ? 'leave_out' : 'records',
        progress: bar.report,
      });
    },
    whyNothing,
  );

/** Where files come from and go. Throws a `FatalError`. */
function filesOf(
  { uploads: folder, fetch }: FileOptions,
  { database, types, settings }: TransferDatabase,
  terminal: Terminal,
): FileSource {
  if (folder !== undefined && !existsSync(folder)) throw new FatalError(`There is no folder ${folder}.`);
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(fetch === true ? { fetcher: { targets: new OutboundTargets(settings.webhooksAllow) } } : {}),
    storage: openStorage(storageLocation(settings), terminal.environment),
    store: new FileStore(database.dialect),
    limits: { maxBytes: settings.mediaMaxFile, types: settings.mediaTypes },
    type: types.get('media'),
  };
}

/** `recto import json`. Resolves with the exit code. */
export const importJson = (
  terminal: Terminal,
  path: string,
  options: ImportOptions & { readonly type?: string; readonly skipErrors?: boolean; readonly withMedia?: boolean },
): Promise<number> =>
  runImport(
    terminal,
    options,
    async ({ database, types, settings, workFolder }, bar) => {
      const files = await recordFilesAt(path, options.type, types);
      const takesFiles = options.withMedia === true;
      if (takesFiles && !files.hasMedia)
        throw new TransferRefused(`--with-media goes with a folder or an archive that has ${mediaFolder}/ in it.`);
      return importRecords({
        ...{ database, types, workFolder, files },
        media: {
          storage: openStorage(storageLocation(settings), terminal.environment),
          store: new FileStore(database.dialect),
          ...(takesFiles ? { taken: { maxBytes: settings.mediaMaxFile, types: settings.mediaTypes } } : {}),
        },
        dryRun: options.dryRun === true,
        errors: options.skipErrors === true ? 'leave_out' : 'refuse',
        progress: bar.report,
      });
    },
    ({ missing_files: missing }) =>
      options.withMedia === true && missing !== undefined
        ? `The files of ${countOf(missing.total, 'record')} are missing.`
        : undefined,
  );

export interface CsvOptions {
  readonly type?: string;
  /** Prints the plan of columns, and imports nothing. */
  readonly plan?: boolean;
  /** A file with the plan. */
  readonly map?: string;
  readonly skipErrors?: boolean;
}

/** `recto import csv`. Resolves with the exit code. */
export const importCsv = (terminal: Terminal, path: string, options: ImportOptions & CsvOptions): Promise<number> =>
  options.plan === true
    ? printPlan(terminal, path, options)
    : runImport(terminal, options, async ({ database, types, workFolder }, bar) => {
        const file = fileAt(path);
        const type = csvType(file.name, options.type, types);
        const plan =
          options.map === undefined ? await detectedPlan(terminal, file, type) : await planAt(options.map, type);
        return importRecords({
          ...{ database, types, workFolder, files: csvFiles(file, type, plan), ...csvMatch(plan) },
          dryRun: options.dryRun === true,
          errors: options.skipErrors === true ? 'leave_out' : 'refuse',
          progress: bar.report,
        });
      });

/** The plan that a file seems to have. Says which columns it takes for no field, because they are not imported. */
async function detectedPlan(terminal: Terminal, file: ReturnType<typeof fileAt>, type: ContentType): Promise<CsvPlan> {
  const plan = await detectPlan(file, type);
  const unknown = plan.columns.filter(({ field }) => field === null).map(({ column }) => column);
  if (unknown.length > 0)
    terminal.err(
      `Not imported, as they have the name of no field: ${unknown.join(', ')}. A plan (--plan) says what columns are.\n`,
    );
  return plan;
}

async function printPlan(terminal: Terminal, path: string, { type: named }: CsvOptions): Promise<number> {
  try {
    return await withTransferDatabase(terminal, 'pretend', async ({ types }) => {
      const file = fileAt(path);
      const plan = await detectPlan(file, csvType(file.name, named, types));
      terminal.out(`${JSON.stringify(plan, null, 2)}\n`);
      return exitCodes.done;
    });
  } catch (error) {
    const message = transferFailure(error);
    if (message === undefined) throw error;
    terminal.err(`${message}\n`);
    return exitCodes.refused;
  }
}

/** The type that is named, or that the file is named after. Throws a `TransferRefused`. */
function csvType(file: string, named: string | undefined, types: ContentTypes): ContentType {
  const name = named ?? file.replace(/\.(?:csv|tsv|txt)$/i, '');
  const type = typeNamed(types, name);
  if (type !== undefined) return type;
  throw new TransferRefused(`There is no content type “${name}”. There are: ${typeNames(types)}; --type names it.`);
}

async function planAt(path: string, type: ContentType): Promise<CsvPlan> {
  const file = fileAt(path);
  return readPlan(await Bun.file(path).text(), file.name, type);
}

/** Runs an import on the configured database and prints its report. Resolves with the exit code. */
export async function runImport(
  terminal: Terminal,
  { dryRun, json }: ImportOptions,
  work: (parts: TransferDatabase, bar: ProgressBar) => Promise<TransferReport & { readonly source?: string }>,
  failed: (report: TransferReport) => string | undefined = () => undefined,
): Promise<number> {
  const bar = new ProgressBar(terminal);
  try {
    const report = await withTransferDatabase(terminal, dryRun === true ? 'pretend' : 'make', async (parts) => {
      const done = await work(parts, bar);
      if (dryRun !== true) await refreshStatistics(parts.database, parts.types);
      return done;
    });
    bar.clear();
    const headline = report.source === undefined ? 'Import' : `Import of ${report.source || 'a site without address'}`;
    terminal.out(json === true ? `${JSON.stringify(report, null, 2)}\n` : transferSummary(report, headline));
    const failure = failed(report);
    if (failure === undefined) return exitCodes.done;
    terminal.err(`${failure}\n`);
    return exitCodes.refused;
  } catch (error) {
    bar.clear();
    const message = transferFailure(error);
    if (message === undefined) throw error;
    terminal.err(`${message}\n`);
    return exitCodes.refused;
  }
}
