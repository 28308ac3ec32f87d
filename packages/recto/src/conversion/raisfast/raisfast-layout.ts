import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Report } from '../report.ts';
import { raisfastApi } from './raisfast-api.ts';
import { raisfastFields } from './raisfast-fields.ts';
import { raisfastIndexes, withIndexes } from './raisfast-indexes.ts';
import { protocolSwitches, raisfastProtocols } from './raisfast-protocols.ts';

/** A definition as this service writes it, and where its parts stand in the file. */
export interface ReadLayout {
  readonly definition: Table;
  /** What else relations may call the type: its table. */
  readonly alias?: string;
  /** A path of the definition as the file has it, where the two differ. */
  sourcePath(path: string): string | undefined;
}

/** Names of the head that have no meaning here, with what to write instead. */
const refused: ReadonlyMap<string, readonly [message: string, remedy: string]> = new Map([
  ['color', ['types have no color', 'leave it out']],
  ['group', ['types have no group', 'leave it out']],
  ['icon', ['icon stands in [admin]', 'write [admin] with icon = "…"']],
  ['search_fields', ['all text fields that are not private are searched', 'leave it out']],
  ['builtin', ['the types of the product are not defined in files', 'leave the file out']],
]);

const draftLine = '{ name = "statusable", values = ["draft", "published", "archived"], published = "published" }';

/** Reads the files of RaisFast installations: `[fields.NAME]` with `type`, `implements`, `[[indexes]]`, `[list_view]`, `authed`, `owner`. */
export function raisfastLayout(
  parts: ReadonlyMap<string, JsonValue>,
  placeOf: (name: string) => string,
  report: Report,
): ReadLayout {
  const head: Table = Object.fromEntries(parts);
  const { fields, names, columns } = raisfastFields(isTable(head.fields) ? head.fields : {}, report);
  const { protocols, places } = raisfastProtocols(head.protocols, placeOf('protocols'), head, report);
  const isOwnable = protocols.some((entry) => entry === 'ownable' || (isTable(entry) && entry.name === 'ownable'));
  const apiPlace = (path: string) => `${head.api === undefined ? 'api' : placeOf('api')}.${path}`;
  const api = raisfastApi(head.api, {
    report,
    columns,
    isOwnable,
    isSingle: head.kind === 'single',
    placeOf: apiPlace,
  });
  const indexes = raisfastIndexes(head.indexes, columns, report);
  const admin = listView(head, columns, report);
  const kept = Object.entries(head).filter(
    ([name]) => !taken.has(name) && !isRefused(name, head, placeOf(name), report),
  );
  const definition: Table = {
    ...Object.fromEntries(kept),
    ...(protocols.length === 0 ? {} : { protocols: [...protocols] }),
    fields: withSlugSource(withIndexes(fields, indexes), head, placeOf('slug_field'), report),
    ...(indexes.sets.length === 0 ? {} : { unique: indexes.sets.map((set) => [...set]) }),
    ...(api === undefined ? {} : { api }),
    ...(admin === undefined ? {} : { admin }),
  };
  return {
    definition,
    ...(typeof head.table === 'string' ? { alias: head.table } : {}),
    sourcePath: (path) =>
      path
        .replace(/^fields\[(\d+)\]/, (_, index) => `fields.${names[Number(index)]}`)
        .replace(/^(fields\.[^.]+)\.relation\b/, '$1')
        .replace(/^(fields\.[^.]+)\.field_type$/, '$1.type')
        .replace(/^protocols\[(\d+)\]/, (_, index) => places[Number(index)] ?? placeOf('protocols'))
        .replace(/^unique\[(\d+)\]/, (_, index) => indexes.places[Number(index)] ?? 'indexes')
        .replace(/^admin\.list_columns/, 'list_view.columns'),
  };
}

const taken: ReadonlySet<string> = new Set([
  ...['fields', 'protocols', 'api', 'indexes', 'list_view', 'table', 'slug_field', 'admin'],
  ...protocolSwitches,
]);

function isRefused(name: string, head: Table, path: string, report: Report): boolean {
  if (name === 'draft_publish') {
    if (head[name] === true)
      report(path, 'states are a protocol', `write ${draftLine} in implements, and leave this out`);
    return true;
  }
  const [message, remedy] = refused.get(name) ?? [];
  if (message === undefined || remedy === undefined) return false;
  if (head[name] !== false) report(path, message, remedy);
  return true;
}

/** `slug_field` names the source of the slug once for the type; here the slug says it. */
function withSlugSource(fields: readonly Table[], head: Table, path: string, report: Report): Table[] {
  const { slug_field: source } = head;
  if (typeof source !== 'string') return [...fields];
  const slug = fields.find((field) => field.field_type === 'uid');
  if (slug === undefined) {
    const remedy = `leave it out, or write [fields.slug] with type = "uid" and target_field = "${source}"`;
    report(path, 'there is no field of type uid for the slug', remedy);
  }
  return fields.map((field) =>
    field === slug && field.target_field === undefined ? { ...field, target_field: source } : field,
  );
}

/** `[list_view]` says what a list on a screen shows. */
function listView(head: Table, columns: ReadonlyMap<string, string>, report: Report): JsonValue | undefined {
  const { list_view: view, admin } = head;
  if (!isTable(view)) return admin;
  for (const [name, value] of Object.entries(view)) {
    if (name === 'columns') continue;
    const sorted = name === 'default_sort' ? `leave it out, and ask for ?sort=${String(value)}` : 'leave it out';
    report(`list_view.${name}`, 'screens have no such hint here', sorted);
  }
  const shown = Array.isArray(view.columns)
    ? view.columns.map((name) => (typeof name === 'string' ? (columns.get(name) ?? name) : name))
    : undefined;
  return shown === undefined ? admin : { list_columns: shown, ...(isTable(admin) ? admin : {}) };
}
