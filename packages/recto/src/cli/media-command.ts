import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { storageUrl } from '../config/setting-type.ts';
import { type MediaPlace, type MediaReport, moveMedia, sweepMedia, verifyMedia } from '../media/media-maintenance.ts';
import { openStorage, storageLocation } from '../storage/open-storage.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { settingsOfExisting, withDatabase } from './existing-database.ts';

/** `recto media verify`. Resolves with the exit code. */
export const verify = (terminal: Terminal, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, () =>
    withMedia(terminal, async (place) => {
      const report = await verifyMedia(place);
      const { files, bytes, faults } = report;
      const fine = `${files} files, ${bytes} bytes: all are as they were stored.\n`;
      const ok = faults.length === 0;
      return { text: ok ? fine : faultsText(report), json: { files, bytes, faults }, ok };
    }),
  );

const meanings: Readonly<Record<MediaReport['faults'][number]['kind'], string>> = {
  missing: 'not in the storage',
  wrong_size: 'has another size',
  wrong_hash: 'has other bytes',
  record_without_file: 'a record whose file is not known',
  file_without_row: 'belongs to no record; recto media sweep removes it',
};

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

/** `recto media sweep`. Resolves with the exit code. */
export const sweep = (terminal: Terminal, options: AnswerOptions & { readonly hours: string }): Promise<number> =>
  answer(terminal, options, () =>
    withMedia(terminal, async (place) => {
      if (!/^\d{1,6}$/.test(options.hours)) throw new FatalError('--hours must be a whole number.');
      const swept = await sweepMedia(place, Date.now() - Number(options.hours) * 3_600_000);
      const { unused, strays, unfinished } = swept;
      return {
        text: `Removed ${unused} files without a record, ${strays} that belonged to nothing, ${unfinished} unfinished uploads.\n`,
        json: { ...swept },
      };
    }),
  );

function withMedia<T>(terminal: Terminal, work: (place: MediaPlace) => Promise<T>): Promise<T> {
  const storage = openStorage(storageLocation(settingsOfExisting(terminal)), terminal.environment);
  return withDatabase(terminal, (database) => work({ database, storage }));
}
