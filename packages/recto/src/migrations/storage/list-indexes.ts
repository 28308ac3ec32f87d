import { indexedColumn, naturalColumn } from '../../database/natural-order.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { defaultSort } from '../../definition/default-sort.ts';
import { indexWidth, mostIndexCharacters } from '../../definition/index-width.ts';
import { isFreeText, isToOne, storedColumn } from '../../definition/stored-field.ts';
import { equalColumns } from '../../rules/rule-equalities.ts';

/** The columns of an index, or their `naturalColumn`, in their order; it serves sorting by them in both directions. */
export type ListIndex = readonly string[];

/** More would cost each write more than they spare reads. */
const mostIndexes = 12;

/**
 * The indexes that the lists of a type need: on its own order and on each field that is said to be `indexed`, behind what the
 * public list's rules and the protocols hold equal, so that such a list is a range of the index, whatever share of the records
 * that is; by themselves and in natural order, for the admin list; and behind those that have few values, for filters. Those of public lists come first, and those by which protocols look for
 * records last. They are made from the last to the first: of two that serve alike, SQLite takes the one that was made last.
 */
export function listIndexesOf(type: ContentType): readonly ListIndex[] {
  const said = type.fields.filter(({ indexed }) => indexed);
  const declared = said.filter(({ origin }) => origin === 'declared').map(columnsOf);
  const order = defaultSort(type).map(({ column }) => column);
  const sorts = [order, ...declared];
  const equalities = publicEqualities(type);
  const ofPublicList = equalities.flatMap((equal) => sorts.map((columns) => [...equal, ...columns]));
  const pairs = filteredOrders(said);
  const ofFilteredPublicList = equalities.flatMap((equal) => pairs.map((columns) => [...equal, ...columns]));
  // Nearly every caller sees one part of the records.
  const partition = type.partition === null ? [] : [type.partition];
  // In the order that the lists of the admin have.
  const natural = said.filter((field) => field.origin === 'declared' && isFreeText(field)).map(naturalColumnsOf);
  const wanted = [order, ...ofPublicList, ...declared, ...ofFilteredPublicList, ...pairs, ...natural];
  const ofLists = wanted.map((columns) => [...partition, ...columns]);
  // What a protocol looks for, it looks for among all records, time and again.
  const ofProtocols = indexesOn(said.filter(({ origin }) => origin !== 'declared').map(columnsOf), type);
  const first = distinct(indexesOn(ofLists, type)).slice(0, mostIndexes - ofProtocols.length);
  return distinct([...first, ...ofProtocols]);
}

/**
 * Of the fields that are said to be `indexed`: each that has few values before each that has many. A list of the records
 * with one of the few values, in the order of the other field or within a range of it, is a range of such an index. Each of
 * few values has many records, and to show some of them, all would have to be sorted.
 */
function filteredOrders(said: readonly Field[]): readonly (readonly string[])[] {
  const declared = said.filter(({ origin }) => origin === 'declared');
  const orders = declared.filter((field) => !hasFewValues(field)).map(columnsOf);
  return declared.filter(hasFewValues).flatMap((field) => orders.map((order) => [...columnsOf(field), ...order]));
}

const hasFewValues = (field: Field): boolean =>
  field.type.kind === 'boolean' || field.options.enum_values !== undefined || isToOne(field);

function indexesOn(wanted: readonly (readonly string[])[], { fields }: ContentType): readonly ListIndex[] {
  const byColumn = new Map(fields.flatMap((field) => columnsOf(field).map((column) => [column, field] as const)));
  const indexes = wanted.map((columns) => indexOn([...new Set([...columns, 'id'])], byColumn));
  // The id by itself has its index.
  return indexes.filter((index) => index.some((column) => column !== 'id'));
}

const distinct = (indexes: readonly ListIndex[]): readonly ListIndex[] => [
  ...new Map(indexes.map((index) => [index.join(), index])).values(),
];

const naturalColumnsOf = (field: Field): readonly string[] => columnsOf(field).map(naturalColumn);

function columnsOf(field: Field): readonly string[] {
  const column = storedColumn(field);
  return column === undefined ? [] : [column];
}

/** As many of the columns, from the first, as an index can hold. */
function indexOn(columns: readonly string[], fields: ReadonlyMap<string, Field>): ListIndex {
  let width = 0;
  const end = columns.findIndex((column) => {
    const field = fields.get(indexedColumn(column).column);
    width += field === undefined ? 0 : indexWidth(field);
    return width > mostIndexCharacters || field?.type.kind === 'json';
  });
  return end === -1 ? columns : columns.slice(0, end);
}

/** What the rows of the public list have in common, for each alternative of its rules. */
function publicEqualities(type: ContentType): readonly (readonly string[])[] {
  const { filter, filterAuth } = type.endpoints.list;
  const visible = type.visible.flatMap(({ rule }) => (rule === null ? [] : common(equalColumns(rule))));
  const rules = [filter, filterAuth].filter((rule) => rule !== null).flatMap(equalColumns);
  return (rules.length === 0 ? [[]] : rules).map((columns) => [...visible, ...columns]);
}

/** What all alternatives hold equal. */
const common = ([first, ...others]: readonly (readonly string[])[]): readonly string[] =>
  (first ?? []).filter((column) => others.every((columns) => columns.includes(column)));
