/** The record that a form is open for. */
export interface OpenRecord {
  readonly plural: string;
  readonly id: string;
  /** The names of the fields that the form has. */
  readonly fields: { has(name: string): boolean };
}

/** `articles/ID#body.2.title`, or without the plural. */
const place = /^(?:([a-z][a-z0-9_-]*)\/)?([0-9a-f-]{36})#([a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)*)$/;

/** More than any path of a form has. */
const longest = 500;

/**
 * The path in the form that a page asks for, such as `body[2].title`. Undefined for what is no path, is one of another record, or begins with a
 * field that the form does not have: a page gets nothing else to select.
 */
export function editedPath(sent: unknown, { plural, id, fields }: OpenRecord): string | undefined {
  if (typeof sent !== 'string' || sent.length > longest) return undefined;
  const [, collection, record, path = ''] = place.exec(sent) ?? [];
  if (record !== id || (collection !== undefined && collection !== plural)) return undefined;
  const [name = '', ...rest] = path.split('.');
  if (!fields.has(name)) return undefined;
  return name + rest.map((part) => (/^\d+$/.test(part) ? `[${Number(part)}]` : `.${part}`)).join('');
}
