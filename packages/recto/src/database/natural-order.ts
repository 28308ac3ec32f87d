/** A tag for the parts of an expression: of `sql` for a statement, or of plain text for the definition of an index. */
type Tag<Part> = (texts: TemplateStringsArray, ...parts: readonly Part[]) => Part;

/** How the database writes an integer as a text that compares by code point. */
type AsText<Part> = (integer: Part) => Part;

/**
 * The text that a list in natural order is sorted by: that of the value, with a number at its beginning and one at its end, in brackets
 * or not, written as their length and their digits. So "Draft (2)" comes before "Draft (10)", and "9. Paper" before "10. Ink". One
 * expression for statements and indexes: a database uses an index on an expression only where both are alike.
 */
export function naturalOrder<Part>(text: Part, sql: Tag<Part>, asText: AsText<Part>): Part {
  const rest = sql`ltrim(${text}, '0123456789')`;
  const leading = sql`substr(${text}, 1, length(${text}) - length(${rest}))`;
  const unbracketed = sql`rtrim(${rest}, ')]')`;
  const base = sql`rtrim(${unbracketed}, '0123456789')`;
  const trailing = sql`substr(${unbracketed}, length(${base}) + 1)`;
  const number = (digits: Part): Part => {
    const significant = sql`ltrim(${digits}, '0')`;
    return sql`substr(${asText(sql`10000 + length(${significant})`)}, 2) || ${significant}`;
  };
  const beginning = sql`case when ${leading} = '' then '' else ${number(leading)} end`;
  return sql`(${beginning} || case when ${trailing} = '' then ${rest} else ${base} || ${number(trailing)} end)`;
}

const suffix = ':natural';

/** The column of an index that holds the natural order of a column's texts. No field has such a name. */
export const naturalColumn = (column: string): string => `${column}${suffix}`;

/** The column that an index reads for one of its columns, and whether it holds the natural order. */
export const indexedColumn = (column: string): { readonly column: string; readonly isNatural: boolean } =>
  column.endsWith(suffix) ? { column: column.slice(0, -suffix.length), isNatural: true } : { column, isNatural: false };

/** The natural order of a quoted column, as the definition of an index has it. */
export const naturalOrderText = (column: string, asText: AsText<string>): string =>
  naturalOrder(column, (texts, ...parts) => String.raw({ raw: texts }, ...parts), asText);
