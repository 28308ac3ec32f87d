import type { ContentType } from '../../definition/content-type.ts';
import type { RecordFiles } from '../json/record-files.ts';
import type { RecordMatch } from '../json/record-updates.ts';
import type { TransferFile } from '../transfer-file.ts';
import type { CsvPlan } from './csv-plan.ts';
import { csvRecords } from './csv-records.ts';

/** The rows of a file as the files of an import of records. */
export const csvFiles = (file: TransferFile, type: ContentType, plan: CsvPlan): RecordFiles => ({
  size: file.size,
  hasMedia: false,
  each: () => [{ ...file, type, records: (read) => csvRecords(file, type, plan, read) }],
});

/** How rows are matched with records; undefined: they are not. */
export const csvMatch = ({ key, existing }: CsvPlan): { readonly match?: RecordMatch } =>
  key === null ? {} : { match: { key, existing } };
