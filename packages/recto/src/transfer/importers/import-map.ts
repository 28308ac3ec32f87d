import { parse, TomlError } from 'smol-toml';
import { tomlReason } from '../../base/toml-reason.ts';
import { isTable } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { TransferRefused } from '../transfer-refused.ts';

/** Where the records of a type go, and the values of its fields. */
export interface MappedType {
  /** The singular of a content type. */
  readonly to: string;
  /** By the names of the source. A field that is not named is left out. */
  readonly fields: Readonly<Record<string, string>>;
}

/** How a source is brought in: what a plan says, with what people have changed in it. */
export interface ImportMap {
  readonly format: string;
  /** Names the source in what is kept of an import: another import with the same name adds nothing twice. */
  readonly source: string;
  readonly options: Readonly<Record<string, string>>;
  /** The language here of each language of the source, by its names. One that is not named is left out. */
  readonly languages: Readonly<Record<string, string>>;
  /** By the names of the source. A type that is not named is left out. */
  readonly types: Readonly<Record<string, MappedType>>;
}

/** Reads the text of a plan. Throws a `TransferRefused` with everything that is wrong with it. */
export function readImportMap(text: string, file: string): ImportMap {
  const whole = tableOf(text, file);
  const faults: string[] = [];
  const map = {
    format: textOf(whole.format, 'format', faults),
    source: textOf(whole.source, 'source', faults),
    options: textsOf(whole.options, 'options', faults),
    languages: textsOf(whole.languages, 'languages', faults),
    types: typesOf(whole.types, faults),
  };
  for (const name of Object.keys(whole)) {
    if (!Object.hasOwn(map, name)) faults.push(`${name}: there is no such name in a plan.`);
  }
  if (faults.length === 0) return map;
  throw new TransferRefused([`${file} is no plan of an import:`, ...faults.map((fault) => `  ${fault}`)].join('\n'));
}

function tableOf(text: string, file: string): Readonly<Record<string, JsonValue>> {
  try {
    // A date of TOML is none of the values that a plan has: it is reported as such.
    return parse(text) as Readonly<Record<string, JsonValue>>;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new TransferRefused(`${file}:${error.line} is no TOML: ${tomlReason(error, text)}.`, error);
  }
}

function textOf(value: JsonValue | undefined, name: string, faults: string[]): string {
  if (typeof value === 'string' && value !== '') return value;
  faults.push(`${name}: ${value === undefined ? 'is missing' : 'must be a text'}.`);
  return '';
}

function textsOf(value: JsonValue | undefined, name: string, faults: string[]): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  if (!isTable(value)) {
    faults.push(`${name}: must be a table.`);
    return {};
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, textOf(each, `${name}.${key}`, faults)] as const),
  );
}

function typesOf(value: JsonValue | undefined, faults: string[]): Readonly<Record<string, MappedType>> {
  if (value === undefined) return {};
  if (!isTable(value)) {
    faults.push('types: must be a table.');
    return {};
  }
  const types = Object.entries(value).map(([from, type]): readonly [string, MappedType] => {
    const name = `types.${from}`;
    if (!isTable(type)) {
      faults.push(`${name}: must be a table.`);
      return [from, { to: '', fields: {} }];
    }
    for (const key of Object.keys(type)) {
      if (key !== 'to' && key !== 'fields') faults.push(`${name}.${key}: there is no such name in a plan.`);
    }
    return [
      from,
      { to: textOf(type.to, `${name}.to`, faults), fields: textsOf(type.fields, `${name}.fields`, faults) },
    ];
  });
  return Object.fromEntries(types);
}
