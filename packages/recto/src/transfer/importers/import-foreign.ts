import { AccountStore } from '../../auth/account-store.ts';
import { AdoptedAccounts } from '../../auth/adopted-accounts.ts';
import { system } from '../../base/caller.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { eventWriterFor } from '../../events/event-writer.ts';
import { RecordRestorer } from '../../records/restore-record.ts';
import { Breaks } from '../breaks.ts';
import { ImportLedger } from '../import-ledger.ts';
import { importRecords } from '../json/import-records.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { type TransferReport, TransferTally } from '../transfer-report.ts';
import { ForeignAccountsImport } from './foreign-accounts.ts';
import { readLedger } from './foreign-ids.ts';
import { boundLanguages } from './foreign-languages.ts';
import { foreignRecordFiles, stageRecords } from './foreign-records.ts';
import type { BoundType, ForeignImport, ForeignRun } from './foreign-run.ts';
import { ForeignStaging } from './foreign-staging.ts';
import type { ImportMap } from './import-map.ts';
import type { ForeignContent } from './importer.ts';
import { mergedReports } from './merged-reports.ts';

/**
 * Brings a source in as its plan says. It is read completely before anything is stored. Throws a `TransferRefused` for a source that is
 * damaged, a plan that does not fit, and for errors in records that are to be refused.
 */
export async function importForeign(options: ForeignImport): Promise<TransferReport & { readonly source: string }> {
  const { importer, map, database, types, dryRun, by = system, workFolder } = options;
  if (map.format !== importer.format)
    throw new TransferRefused(`The plan is one of ${map.format}, and the source one of ${importer.format}.`);
  using source = await importer.read(options.path, { ...options.read, workFolder });
  const content = importer.map(source, map.options);
  const { bound, languages } = boundPlan(content, map, types);
  using staging = new ForeignStaging(workFolder);
  const log = eventWriterFor(by);
  const run: ForeignRun = {
    ...{ options, content, bound, languages, staging, breaks: new Breaks(), tally: new TransferTally() },
    restorer: new RecordRestorer(database, types, log),
  };
  const name = `${importer.format}:${map.source}`;
  const ledger = new ImportLedger(database.dialect, name);
  await readLedger({ ...run, ledger }, database);
  const adopted = await AdoptedAccounts.open({
    ...{ accounts: new AccountStore(database.dialect), passwords: options.passwords, now: Date.now, by },
  });
  const accounts = new ForeignAccountsImport({ database, staging, adopted, ledger, tally: run.tally });
  for (const each of content.accounts) await accounts.stage(each);
  await stageRecords(run);
  const { storage, store, limits } = options.media;
  const { checkpoint } = options;
  const report = await importRecords({
    ...{ database, types, workFolder, dryRun, log, source: name, errors: options.errors, progress: options.progress },
    ...(checkpoint === undefined ? {} : { checkpoint }),
    media: { storage, store, taken: limits },
    files: foreignRecordFiles(run),
    begin: (within) => accounts.store(within),
    isComing: ({ target, id }) => accounts.isComing(target, id),
  });
  accounts.count();
  const leftOut = languages.leftOut.length === 0 ? {} : { other_languages: languages.leftOut };
  return { source: map.source, ...mergedReports(run.tally.report(dryRun), report), ...leftOut };
}

/** What a plan names, with what it is here. */
function boundPlan(content: ForeignContent, map: ImportMap, types: ContentTypes) {
  const { bound: languages, faults } = boundLanguages(content.languages ?? [], map, types.languages);
  const found = boundTypes(content, map, types);
  const all = [...faults, ...found.faults];
  if (all.length === 0) return { bound: found.bound, languages };
  const lines = all.map((fault) => `  ${fault}`);
  throw new TransferRefused(
    ['The plan does not fit. Have the definitions that it names been loaded?', ...lines].join('\n'),
  );
}

/** The types that the plan names, with what they are here. */
function boundTypes(
  content: ForeignContent,
  map: ImportMap,
  types: ContentTypes,
): { readonly bound: readonly BoundType[]; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const bound = Object.entries(map.types).flatMap(([from, { to, fields }]): readonly BoundType[] => {
    const source = content.types.find((each) => each.from === from);
    const type = types.find(to);
    if (source === undefined) faults.push(`types.${from}: the source has no such type.`);
    if (type === undefined) faults.push(`types.${from}.to: there is no content type “${to}”.`);
    if (source === undefined || type === undefined) return [];
    if (type.singular === 'media') faults.push(`types.${from}.to: files become media by themselves.`);
    for (const [name, target] of Object.entries(fields)) {
      if (!source.fields.some((field) => field.from === name))
        faults.push(`types.${from}.fields.${name}: the source has no such field.`);
      if (type.field.get(target) === undefined)
        faults.push(`types.${from}.fields.${name}: ${type.singular} has no field “${target}”.`);
      else if (target === 'id') faults.push(`types.${from}.fields.${name}: ids are given by the import.`);
    }
    return [{ from: source, type, fields: new Map(Object.entries(fields)) }];
  });
  return { bound, faults };
}
