import Type from 'typebox';
import type { Caller } from '../../base/caller.ts';
import { badRequest } from '../../base/problem.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import { isToMany } from '../../definition/stored-field.ts';
import type { RequestContext, ResponseSpec } from '../../http/operation.ts';
import { readGiven, readParameters } from '../../query/query-text.ts';
import { readFieldSelection } from '../../query/record-parts.ts';
import { mostIds, totalName } from '../../records/answers/truncated-lists.ts';
import type { ListedRecord } from '../../records/list/list-pages.ts';
import type { Records } from '../../records/records.ts';
import { Breaks } from '../../transfer/breaks.ts';
import { csvCell, csvLine } from '../../transfer/csv/csv-cells.ts';
import { contentDisposition } from '../media/content-disposition.ts';
import type { InLanguage } from './parameters/language-parameter.ts';

/** A public list answers with so many rows at most: anybody may ask for it, and nothing else limits what it costs. */
export const mostPublicRows = 10_000;

/** The part of a list's declaration that is about CSV. */
export const csvResponse: Pick<ResponseSpec, 'alternatives' | 'headers'> = {
  alternatives: {
    'text/csv': Type.String({ description: 'A line with the names of the fields, and one for each record.' }),
  },
  headers: {
    'Content-Disposition': { description: 'Of CSV: `attachment`, with the name of a file.', optional: true },
  },
};

/**
 * Answers a list as CSV: the records that pages of it would have, read page by page as the client takes them. What the query string
 * gets wrong is answered before anything is sent.
 */
export async function sendCsv(
  { type, records, caller }: Pick<InLanguage, 'type' | 'records' | 'caller'>,
  view: 'list' | 'admin',
  context: RequestContext,
  search: string,
): Promise<Response> {
  if (view === 'list') await requireFew(type, records, caller, search);
  const pages = await records.pages(type, view, caller, search);
  const first = await pages.next();
  const shown = viewFor(view, caller, records.types);
  const fields =
    readGiven(readParameters(search), 'fields', (_, text) => readFieldSelection(text, type, shown)) ??
    readableFields(type, shown);
  const rows = (page: readonly ListedRecord[]) => page.map((record) => row(type, fields, record)).join('');
  return context.stream(
    async ({ write }) => {
      const breaks = new Breaks();
      await write(csvLine(fields.map(({ name }) => name)));
      if (first.done !== true) await write(rows(first.value));
      for await (const page of pages) {
        await write(rows(page));
        await breaks.next();
      }
    },
    {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': contentDisposition('attachment', `${type.plural}.csv`),
    },
    'whole',
  );
}

async function requireFew(type: ContentType, records: Records, caller: Caller, search: string): Promise<void> {
  const parameters = new URLSearchParams(search);
  parameters.set('page_size', '1');
  const { body } = await records.list(type, 'list', caller, parameters.toString());
  // A page of a list, as the lister makes it.
  const { total, total_is_estimate: isEstimate }: ListTotal = JSON.parse(
    typeof body === 'string' ? body : new TextDecoder().decode(body),
  );
  // A search counts up to a number.
  if (total < mostPublicRows || (total === mostPublicRows && isEstimate !== true)) return;
  throw badRequest(
    'answer_too_large',
    `As CSV, a public list has at most ${mostPublicRows} records. Add a filter, or use the admin route.`,
  );
}

interface ListTotal {
  readonly total: number;
  readonly total_is_estimate?: true;
}

const row = (type: ContentType, fields: readonly Field[], record: ListedRecord): string =>
  csvLine(fields.map((field) => csvCell(field, record[field.name] ?? null, isCut(type, field, record))));

/** Whether a record has more ids in a relation than it shows. */
function isCut(type: ContentType, field: Field, record: ListedRecord): boolean {
  if (!isToMany(field)) return false;
  const total = totalName(type, field);
  if (total !== undefined) return record[total] !== undefined;
  const ids = record[field.name];
  return Array.isArray(ids) && ids.length >= mostIds;
}
