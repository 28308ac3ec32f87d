import { raisfastLayout } from '../conversion/raisfast/raisfast-layout.ts';
import { isTable } from '../values/json-table.ts';
import type { JsonValue } from '../values/value-kind.ts';
import type { Report } from './type-draft.ts';

export interface FlatLayout {
  readonly definition: JsonValue;
  /** Another name by which relations may call the type. */
  readonly alias?: string;
  /** A path of the flat layout as the file has it. */
  sourcePath(path: string): string;
}

/**
 * A definition in its flat layout. The layout of existing installations has a table `content_type` around the head,
 * with `api` and `implements` inside it, and fields inside or beside it. Where the fields are tables by name, the file is as
 * RaisFast writes it.
 */
export function flatLayout(definition: JsonValue, report: Report): FlatLayout {
  if (!isTable(definition) || !Object.hasOwn(definition, 'content_type') || !isTable(definition.content_type)) {
    return { definition, sourcePath: (path) => path };
  }
  const { content_type: wrapped, ...beside } = definition;
  const { implements: implemented, ...head } = wrapped;
  const flat = new Map<string, JsonValue>();
  const places = new Map<string, string>();
  const put = (name: string, value: JsonValue, place: string): void => {
    if (flat.has(name)) report(place, `${name} is also given as ${places.get(name)}`, 'give it once');
    else flat.set(name, value);
    if (!places.has(name)) places.set(name, place);
  };
  for (const [name, value] of Object.entries(head)) put(name, value, `content_type.${name}`);
  for (const [name, value] of Object.entries(beside)) put(name, value, name);
  if (Array.isArray(implemented)) put('protocols', implemented, 'content_type.implements');
  else {
    for (const [name, value] of implementedEntries(implemented, report)) {
      put(name, value, `content_type.implements.${name}`);
    }
  }
  const placeOf = (name: string): string => places.get(name) ?? `content_type.${name}`;
  const read = isTable(flat.get('fields')) ? raisfastLayout(flat, placeOf, report) : undefined;
  return {
    definition: read?.definition ?? Object.fromEntries(flat),
    ...(read?.alias === undefined ? {} : { alias: read.alias }),
    sourcePath(path) {
      const own = read?.sourcePath(path);
      if (own !== undefined && own !== path) return own;
      const head = /^[^.[]*/.exec(path)?.[0] ?? '';
      if (head === '') return 'content_type';
      return `${places.get(head) ?? `content_type.${head}`}${path.slice(head.length)}`;
    },
  };
}

function implementedEntries(implemented: JsonValue | undefined, report: Report): readonly [string, JsonValue][] {
  if (implemented === undefined) return [];
  const path = 'content_type.implements';
  if (!isTable(implemented)) {
    report(path, 'must be a table', 'write [content_type.implements] with protocols = [...]');
    return [];
  }
  return Object.entries(implemented).filter(([name]) => {
    if (name !== 'protocols') report(`${path}.${name}`, `unknown name "${name}"`, 'known here: protocols');
    return name === 'protocols';
  });
}
