import { existsSync, statSync } from 'node:fs';
import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { UsageFault } from '../base/usage-fault.ts';
import { storageUrl } from '../config/setting-type.ts';
import { FileStore } from '../media/file-store.ts';
import {
  type MediaPlace,
  type MediaReport,
  moveMedia,
  sweepMedia,
  unfinishedMs,
  verifyMedia,
  type YoungFiles,
} from '../media/media-maintenance.ts';
import { openStorage, storageLocation } from '../storage/open-storage.ts';
import { type AddedFiles, addFiles } from '../transfer/media/add-files.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { settingsOfExisting, withDatabase } from './existing-database.ts';
import { withTransferDatabase } from './transfer-database.ts';

/** `recto media verify`. Resolves with the exit code. */
export const verify = (terminal: Terminal, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, () =>
    withMedia(terminal, async (place) => {
      const report = await verifyMedia(place);
      const { files, bytes, faults, unfinished } = report;
      const fine = `${files} files, ${bytes} bytes: all are as they were stored.\n`;
      const ok = faults.length === 0;
      return {
        text: `${ok ? fine : faultsText(report)}${unfinished === null ? '' : unfinishedText(unfinished)}`,
        json: { files, bytes, faults, unfinished: youngJson(unfinished, unfinishedMs) },
        ok,
      };
    }),
  );

const meanings: Readonly<Record<MediaReport['faults'][number]['kind'], string>> = {
  missing: 'not in the storage',
  wrong_size: 'has another size',
  wrong_hash: 'has other bytes',
  record_without_file: 'a record whose file is not known; recto media add takes it from a folder',
  file_without_row: 'belongs to no record; recto media sweep removes it',
};

/** `olderMs`: how old they must be to be removed. */
const removableAt = ({ newest }: YoungFiles, olderMs: number): string =>
  new Date(Math.ceil((newest + olderMs) / 1000) * 1000).toISOString();

const youngJson = (young: YoungFiles | null, olderMs: number) =>
  young && { files: young.files, removable_at: removableAt(young, olderMs) };

const unfinishedText = (young: YoungFiles): string =>
  `${countOf(young.files, 'file')} of no record, written within the last hour, may be of uploads that are not finished. From ${removableAt(young, unfinishedMs)}, recto media sweep removes what is left of them.\n`;

const mostListed = 100;

function faultsText({ files, faults }: MediaReport): string {
  const lines = faults.slice(0, mostListed).map(({ kind, at }) => `  ${at}: ${meanings[kind]}`);
  const more = faults.length > mostListed ? [`  and ${faults.length - mostListed} more`] : [];
  return [`${files} files; ${faults.length} things are wrong:`, ...lines, ...more].map((line) => `${line}\n`).join('');
}

/** `recto media move`. Resolves with the exit code. */
export const move = (terminal: Terminal, options: AnswerOptions & { readonly to: string }): Promise<number> =>
  answer(terminal, options, () =>
    withMedia(terminal, async (place) => {
      const reading = storageUrl.read(options.to);
      if (!('value' in reading)) throw new FatalError(`--to must be ${reading.expected}.`);
      const target = openStorage(reading.value, terminal.environment);
      if (target.description === place.storage.description) throw new FatalError('The files are there already.');
      const { copied, kept, bytes } = await moveMedia(place, target);
      const there = kept === 0 ? '' : `, ${kept} were there already`;
      return {
        text: `Copied ${copied} files, ${bytes} bytes, to ${target.description}${there}.\nSet RECTO_STORAGE_URL=${options.to} and restart the service.\n`,
        json: { copied, kept, bytes },
      };
    }),
  );

/** `recto media add`. Resolves with the exit code. */
export const add = (terminal: Terminal, folder: string, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, async () => {
    if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new FatalError(`There is no folder ${folder}.`);
    const done = await withTransferDatabase(terminal, 'refuse', ({ database, types, settings }) =>
      addFiles(folder, {
        ...{ database, types, store: new FileStore(database.dialect) },
        storage: openStorage(storageLocation(settings), terminal.environment),
        limits: { maxBytes: settings.mediaMaxFile, types: settings.mediaTypes },
      }),
    );
    return { text: addedText(done), json: { ...done } };
  });

function addedText({ added, records, before, unknown, refused, missing }: AddedFiles): string {
  const lines = [
    `Added ${countOf(added, 'file')}, for ${countOf(records, 'record')}. ${before} were there before, ${unknown} belong to no record.`,
    ...refused.map(({ file, reason }) => `  ${file}: ${reason}`),
    missing.length === 0
      ? 'All records have their files.'
      : `${missing.length === 1_000 ? 'At least ' : ''}${countOf(missing.length, 'record')} still without a file: ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

export interface SweepOptions extends AnswerOptions {
  readonly olderThan: string;
  /** Of earlier versions. */
  readonly hours?: string;
}

/** `recto media sweep`. Resolves with the exit code. */
export const sweep = (terminal: Terminal, { hours, olderThan, ...options }: SweepOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const olderMs = durationOf(hours === undefined ? olderThan : `${hours}h`);
    return withMedia(terminal, async (place) => {
      const { left, ...swept } = await sweepMedia(place, Date.now() - olderMs);
      const { unused, strays, unfinished, variants } = swept;
      const removed = `Removed ${unused} files without a record, ${strays} that belonged to nothing, ${unfinished} unfinished uploads, ${variants} variants of earlier crops.\n`;
      const stays =
        left === null
          ? ''
          : `Left ${countOf(left.files, 'file')} that may be of uploads that are not finished: recto media sweep removes them from ${removableAt(left, olderMs)} on, or now with a shorter --older-than.\n`;
      return { text: `${removed}${stays}`, json: { ...swept, left: youngJson(left, olderMs) } };
    });
  });

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** In milliseconds. */
function durationOf(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const milliseconds = Number(number) * (units[unit] ?? Number.NaN);
  if (Number.isNaN(milliseconds))
    throw new UsageFault('--older-than must be a number of minutes, hours or days, such as 30m, 2h or 7d.');
  return milliseconds;
}

function withMedia<T>(terminal: Terminal, work: (place: MediaPlace) => Promise<T>): Promise<T> {
  const storage = openStorage(storageLocation(settingsOfExisting(terminal)), terminal.environment);
  return withDatabase(terminal, (database) => work({ database, storage }));
}
