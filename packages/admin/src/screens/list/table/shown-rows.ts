import { href } from '../../../app/navigation.svelte.ts';
import { t } from '../../../text/text.ts';
import { type CellView, cellView } from '../cells/cell-view.ts';
import { type ListedType, type ListField, listFields, scheduleField } from '../data/list-fields.ts';
import type { ListRecord } from '../data/list-record.ts';
import { recordTitle, titleName } from './record-text.ts';

/** A record as its row shows it. */
export interface ShownRow {
  readonly record: ListRecord;
  readonly title: string;
  /** Where its form is. */
  readonly address: string;
  /** The name of its checkbox. */
  readonly select: string;
  /** The address of a small picture; undefined: it has none; null: none of those shown has. */
  readonly picture: string | null | undefined;
  readonly cells: readonly ShownCell[];
}

export interface ShownCell {
  readonly field: ListField;
  readonly look: string;
  /** What stands in the cell itself. */
  readonly text: string;
  /** What is more than text; of the linked cell undefined: the title. */
  readonly view: CellView | undefined;
  readonly isLinked: boolean;
}

export interface RowsOptions {
  readonly type: ListedType;
  readonly columns: readonly ListField[];
  /** Records have a form. */
  readonly hasLinks: boolean;
  /** The language in which they open; empty: the default one. */
  readonly language: string;
  /** From when "2 hours ago" counts. */
  readonly now: number;
}

/** What is shown of records: found at once, so that cells of plain text need no component and no effects of their own. */
export function shownRows(records: readonly ListRecord[], options: RowsOptions): readonly ShownRow[] {
  const { type, columns, language } = options;
  const query = language === '' ? '' : `?language=${encodeURIComponent(language)}`;
  const linked = linkedColumn(type, columns);
  const schedule = scheduleField(type);
  const field = pictureField(type, columns);
  const pictures = records.map((record) => (field === undefined ? undefined : pictureOf(field, record)));
  const hasPictures = pictures.some((picture) => picture !== undefined);
  return records.map((record, index) => {
    const title = recordTitle(record, type);
    return {
      record,
      title,
      address: href(`/content/${type.plural}/${record.id}${query}`),
      select: t('list.selectRow', { title }),
      picture: hasPictures ? pictures[index] : null,
      cells: columns.map((field) => shownCell(field, record, { ...options, linked, schedule })),
    };
  });
}

/** The field whose picture stands beside the title: the first, unless it is a column. */
const pictureField = (type: ListedType, columns: readonly ListField[]): ListField | undefined =>
  listFields(type).find(({ kind, name }) => kind === 'media' && !columns.some((column) => column.name === name));

function pictureOf(field: ListField, record: ListRecord): string | undefined {
  const view = cellView(field, record[field.name], 0);
  return view.kind === 'files' ? view.files.find(({ image }) => image !== undefined)?.image : undefined;
}

/** The column that leads to the form: that of the title, or the first. */
function linkedColumn(type: ListedType, columns: readonly ListField[]): string | undefined {
  const title = titleName(type);
  return columns.some(({ name }) => name === title) ? title : columns[0]?.name;
}

interface CellOptions extends RowsOptions {
  readonly linked: string | undefined;
  readonly schedule: string | undefined;
}

function shownCell(field: ListField, record: ListRecord, options: CellOptions): ShownCell {
  const { type, hasLinks, linked, schedule, now } = options;
  const view = cellView(field, record[field.name], now, schedule && record[schedule]);
  if (field.name === linked) {
    const isTitle = !hasLinks || field.name === titleName(type);
    return { field, look: `linked ${field.kind}`, text: '', view: isTitle ? undefined : view, isLinked: true };
  }
  const look = field.kind;
  if (view.kind === 'text' || view.kind === 'number')
    return { field, look, text: view.text, view: undefined, isLinked: false };
  return { field, look, text: '', view, isLinked: false };
}
