import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtInTypes } from '../../packages/recto/src/features/index.ts';
import { FileStore } from '../../packages/recto/src/media/file-store.ts';
import { importForeign } from '../../packages/recto/src/transfer/importers/import-foreign.ts';
import { type ImportMap, readImportMap } from '../../packages/recto/src/transfer/importers/import-map.ts';
import type { ImporterEntry } from '../../packages/recto/src/transfer/importers/index.ts';
import { planSource } from '../../packages/recto/src/transfer/importers/plan-source.ts';
import { importMapText, leftOutOf, type PlannedType } from '../../packages/recto/src/transfer/importers/plan-text.ts';
import type { Progress } from '../../packages/recto/src/transfer/progress.ts';
import type { TransferReport } from '../../packages/recto/src/transfer/transfer-report.ts';
import { deployed, withBuiltIns, withBuiltInsIn } from './definitions.ts';
import { type ServiceOptions, TestService } from './service.ts';

/** A plan as files would have it. */
export interface TestPlan {
  readonly types: readonly PlannedType[];
  readonly definitions: readonly unknown[];
  readonly roles: readonly unknown[];
  /** `import-map.toml`. */
  readonly text: string;
  readonly map: ImportMap;
  /** Everything that is left out, by its place. */
  readonly leftOut: readonly (readonly [place: string, why: string])[];
}

/** Plans a source, as `recto import KIND SOURCE --plan` does in an empty project. */
export async function planOf(
  entry: ImporterEntry,
  path: string,
  {
    options = {},
    languages,
    files = [],
  }: {
    readonly options?: Readonly<Record<string, string>>;
    readonly languages?: string;
    /** The definitions that the project has. */
    readonly files?: readonly object[];
  } = {},
): Promise<TestPlan> {
  const importer = await entry.load();
  const workFolder = mkdtempSync(join(tmpdir(), 'recto-plan-'));
  try {
    using source = await importer.read(path, { workFolder });
    const content = importer.map(source, options);
    const all = languages === undefined ? withBuiltIns(...files) : withBuiltInsIn(languages, ...files);
    const plan = planSource(content, deployed(files, builtInTypes, [], all.languages), all);
    const text = importMapText(importer, content, plan);
    return {
      types: plan.types,
      definitions: plan.types.flatMap(({ definition }) => definition ?? []),
      roles: plan.roles.map(({ definition }) => definition),
      text,
      map: readImportMap(text, 'import-map.toml'),
      leftOut: leftOutOf(plan).map(({ place, why }) => [place, why]),
    };
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

export const openPlanned = ({ definitions }: TestPlan, options: ServiceOptions = {}): Promise<TestService> =>
  TestService.open(definitions, { builtIn: true, ...options });

interface RunOptions {
  readonly dryRun?: boolean;
  readonly errors?: 'refuse' | 'leave_out';
  readonly progress?: Progress;
  readonly mediaMaxFile?: number;
}

/** Imports a source into a service, as `recto import KIND SOURCE --map` does. */
export async function importInto(
  service: TestService,
  entry: ImporterEntry,
  path: string,
  map: ImportMap,
  { dryRun = false, errors = 'refuse', progress = () => {}, mediaMaxFile = 1_000_000 }: RunOptions = {},
): Promise<TransferReport> {
  const { database, types, storage } = service;
  return importForeign({
    ...{ importer: await entry.load(), path, read: {}, map, database, types, dryRun, errors, progress },
    passwords: { hash: async (password) => `unusable:${password}` },
    media: { storage, store: new FileStore(database.dialect), limits: { maxBytes: mediaMaxFile, types: [] } },
    workFolder: dirname(database.path),
  });
}

/** Taken, there before, skipped and with errors, by kind. */
export const countsOf = ({ counts }: TransferReport): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(
    counts.map(({ kind, taken, before, skipped, failed }) => [kind, [taken, before, skipped, failed]]),
  );
