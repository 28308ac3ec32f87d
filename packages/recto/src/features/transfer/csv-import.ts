import type { ContentType } from '../../definition/content-type.ts';
import type { CsvPlan } from '../../transfer/csv/csv-plan.ts';
import { csvSample } from '../../transfer/csv/csv-sample.ts';
import { detectPlan } from '../../transfer/csv/detect-plan.ts';
import type { TransferRow } from '../../transfer/kept/transfers-table.ts';
import type { TransferFile } from '../../transfer/transfer-file.ts';
import type { TransferReport } from '../../transfer/transfer-report.ts';

/** What the check of a file of CSV keeps beside its report. */
export interface CheckedCsv {
  readonly plan: CsvPlan;
  /** The first rows, as texts. */
  readonly sample: readonly (readonly string[])[];
}

/** What a check has kept; undefined where there was none yet, or of no CSV. */
export function checkedCsv({ format, report }: Pick<TransferRow, 'format' | 'report'>): CheckedCsv | undefined {
  if (format !== 'csv' || report === null) return undefined;
  // Written by the check, below.
  const { plan, sample } = JSON.parse(report) as TransferReport & CheckedCsv;
  return { plan, sample };
}

/** The plan by which a file is read: that of the request, that of its check, or what the file shows. */
export const planFor = async (
  row: TransferRow,
  sent: CsvPlan | undefined,
  file: TransferFile,
  type: ContentType,
): Promise<CsvPlan> => sent ?? checkedCsv(row)?.plan ?? (await detectPlan(file, type));

/** The report of a check, with what is kept beside it. */
export const withCsv = async (report: TransferReport, plan: CsvPlan, file: TransferFile) => ({
  ...report,
  plan,
  sample: await csvSample(file, plan),
});
