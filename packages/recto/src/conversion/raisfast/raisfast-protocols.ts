import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Report } from '../report.ts';

/** Switches of the head that are protocols here. */
const switches: Readonly<Record<string, string>> = {
  timestamps: 'timestampable',
  soft_delete: 'soft_deletable',
  versioning: 'versionable',
};

export interface ReadProtocols {
  readonly protocols: readonly JsonValue[];
  /** Where each of them is written. */
  readonly places: readonly string[];
}

/** `implements` as `protocols`, with those that older files switch on by themselves. */
export function raisfastProtocols(
  listed: JsonValue | undefined,
  place: string,
  head: Table,
  report: Report,
): ReadProtocols {
  const protocols: JsonValue[] = [];
  const places: string[] = [];
  for (const [index, entry] of (Array.isArray(listed) ? listed : []).entries()) {
    const path = `${place}[${index}]`;
    const protocol: JsonValue = isTable(entry) ? raisfastProtocol(entry, path, report) : entry;
    protocols.push(protocol);
    places.push(path);
  }
  const named = new Set(protocols.map((entry) => (isTable(entry) ? entry.name : entry)));
  for (const [name, protocol] of Object.entries(switches)) {
    if (head[name] !== true || named.has(protocol)) continue;
    protocols.push(protocol);
    places.push(`content_type.${name}`);
  }
  return { protocols, places };
}

export const protocolSwitches = Object.keys(switches);

/** Options are texts there: a list is one text with commas. */
function raisfastProtocol(entry: Table, path: string, report: Report): JsonValue {
  const { values } = entry;
  if (entry.name !== 'statusable' || typeof values !== 'string') return entry;
  const parts = values.split(',').map((value) => value.trim());
  if (!values.includes('=') && entry.mode === undefined) return { ...entry, values: parts };
  const states = parts.map((part) => part.split('=').map((side) => side.trim()));
  const words = states.map(([word = '']) => word);
  const first = states.find(([word, number]) => entry.default === word || entry.default === number)?.[0] ?? words[0];
  const list = words.map((word) => JSON.stringify(word)).join(', ');
  const line = `{ name = "statusable", values = [${list}], default = ${JSON.stringify(first)} }`;
  report(path, 'states are words here and have no numbers', `write ${line}, and the words in rules`);
  return 'statusable';
}
