import type { Caller } from '../../base/caller.ts';
import { badRequest } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import type { BatchAction } from '../../records/batch/batch-action.ts';
import { readAdminFilter, searchWordsOf } from '../../records/batch/matching-ids.ts';
import type { BatchSelection } from '../../records/batch/prepare-batch.ts';
import type { Records } from '../../records/records.ts';
import { inLanguage, takesLanguage } from './parameters/language-parameter.ts';

/** What a batch is about, and in which language. */
interface Question {
  readonly type: ContentType;
  readonly records: Records;
  readonly caller: Caller;
}

/** A batch in a language: what reads its filter, and what its action writes. */
export interface BatchLanguage {
  /** What the filter and the search read. */
  readonly shown: Question;
  /** What is written. No other language stands in there. */
  readonly written: Question;
  /** The tag; undefined: the default language. */
  readonly tag: string | undefined;
  /** Whether other languages stand in, in what the filter reads. */
  readonly fallback: boolean;
}

/** The language that the query string of a batch names; 400 for one that the service does not have, and for other parameters. */
export function batchLanguage({ type, records, caller }: Question, search: string): BatchLanguage {
  const view = viewFor('admin', caller, records.types);
  const question = { type, view, action: 'update' } as const;
  const whole = { type, records, caller };
  const { languages } = type;
  if (languages === undefined || !takesLanguage(records, { ...question, reads: false }))
    return { shown: whole, written: whole, tag: undefined, fallback: false };
  const shown = inLanguage(records, { ...question, reads: true }, search, caller);
  if (shown.rest !== '')
    throw badRequest('unknown_parameter', 'The parameters of this route are "language" and "fallback".');
  if (shown.tag === undefined || shown.tag === languages.default.tag)
    return { shown: whole, written: whole, tag: undefined, fallback: false };
  const written = inLanguage(records, { ...question, reads: false }, `language=${shown.tag}`, caller);
  return { shown, written, tag: shown.tag, fallback: /(?:^|&)fallback=true(?:&|$)/.test(search) };
}

/** What an action writes: the record as a whole, or what it says in the language. */
export const writtenBy = (action: BatchAction, { written }: BatchLanguage, whole: Question): Question =>
  action.isWhole === true ? { ...whole, caller: written.caller } : written;

interface SentSelection {
  readonly ids?: readonly string[];
  readonly filter?: string;
  readonly search?: string;
}

/** The records that a batch is about. Throws 400 for a filter that is none. */
export function batchSelection({ ids, filter = '', search }: SentSelection, { shown }: BatchLanguage): BatchSelection {
  if (ids !== undefined) return { by: 'ids', ids };
  const { type, caller, records } = shown;
  const expression = readAdminFilter(filter, { type, caller }, records);
  return { by: 'filter', expression, search: searchWordsOf(search), shown: { records, type } };
}
