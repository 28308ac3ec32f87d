import { stringify } from 'smol-toml';
import { oneLine } from '../../base/printable.ts';
import { definitionText } from '../../content-types/definition-text.ts';
import type { Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { importMapName } from './import-map-name.ts';
import type { ForeignContent, ForeignRole, ForeignType, LeftOut, PlannedDefinition } from './importer.ts';

/** A file of a plan. */
export interface PlannedFile {
  /** Without folders. */
  readonly name: string;
  readonly text: string;
}

/** Where records of a type go, with what the comments of its file say. */
export interface PlannedType {
  readonly type: ForeignType;
  /** The singular. */
  readonly to: string;
  /** What its file says; absent: it has none. */
  readonly definition?: PlannedDefinition | PlannedExtension;
  readonly leftOut: readonly LeftOut[];
}

/** What a file says of a type that every service has. */
export interface PlannedExtension {
  readonly extends: string;
  readonly [key: string]: JsonValue;
}

/** Everything that a plan writes and says. */
export interface ForeignPlan {
  readonly types: readonly PlannedType[];
  readonly roles: readonly ForeignRole[];
  /** The languages of the source, and what they become. */
  readonly languages: readonly (readonly [from: string, to: string])[];
  /** What RECTO_LANGUAGES has to be for these; absent: it is. */
  readonly neededLanguages?: string;
  /** Of the whole source. */
  readonly leftOut: readonly LeftOut[];
}

/** Everything that a plan leaves out, and why. */
export const leftOutOf = ({ types, roles, leftOut }: ForeignPlan): readonly LeftOut[] => [
  ...[...types, ...roles].flatMap((each) => each.leftOut),
  ...leftOut,
];

/** The file of a definition, which says above it where it comes from and what is left out. Undefined: there is none. */
export const definitionFile = (
  { type, to, definition, leftOut }: PlannedType,
  label: string,
): PlannedFile | undefined => definition && commented(to, definition, { from: `${label}: ${type.from}`, leftOut });

/** The file of a role. */
export const roleFile = ({ from, definition, leftOut }: ForeignRole, label: string): PlannedFile =>
  commented(definition.name, definition, { from: `${label}, the role ${from}. No account has it`, leftOut });

function commented(
  named: string,
  definition: Table,
  { from, leftOut }: { readonly from: string; readonly leftOut: readonly LeftOut[] },
): PlannedFile {
  const { format, text } = definitionText(definition, 'toml');
  const name = `${named}.${format}`;
  // JSON has no comments; the plan says the same.
  if (format === 'json') return { name, text };
  const head = [`From ${from}.`, ...leftOut.map(({ place, why }) => `Left out: ${place}. ${why}`)];
  return { name, text: `${head.map(comment).join('')}\n${text}` };
}

/** The text of the plan. */
export function importMapText(
  { format, label }: { readonly format: string; readonly label: string },
  content: ForeignContent,
  { types, roles, languages, neededLanguages, leftOut }: ForeignPlan,
): string {
  const options = Object.entries(content.options);
  return [
    ...comments(
      `How "recto import ${format} … --map ${importMapName}" brings this source in. Change it as you need:`,
      'remove a table [types.NAME…] or a line of its fields to leave that out, or name another type or field on the right.',
    ),
    member('format', format),
    comment('Names the source. An import of the same source adds nothing twice, so keep this.'),
    member('source', content.source),
    ...(options.length === 0 ? [] : ['\n[options]\n']),
    ...options.map(([name, { value, about }]) => `${comment(about)}${member(name, value)}`),
    ...(languages.length === 0 ? [] : languageLines(label, languages, neededLanguages)),
    ...content.accounts.map(({ from, total }) => `\n${comment(`${from}: ${total} accounts. They become members.`)}`),
    ...types.map(typeText),
    ...roles.flatMap(roleLines),
    ...(leftOut.length === 0 ? [] : [`\n${comment(`Left out of ${label}:`)}`]),
    ...leftOut.map(({ place, why }) => comment(`- ${place}. ${why}`)),
  ].join('');
}

const languageLines = (
  label: string,
  languages: ForeignPlan['languages'],
  needed: string | undefined,
): readonly string[] => [
  `\n${comment(`The languages of ${label}, and what each becomes. One without a line is left out.`)}`,
  ...(needed === undefined
    ? []
    : comments(`This service has not all of them. Set before the import: RECTO_LANGUAGES=${needed}`)),
  '[languages]\n',
  ...languages.map(([from, to]) => member(from, to)),
];

const roleLines = ({ from, definition, leftOut }: ForeignRole): readonly string[] => [
  `\n${comment(`The role ${from} is in the file of the role ${definition.name}. No account has it.`)}`,
  ...leftOut.map(({ place, why }) => comment(`Left out: ${place}. ${why}`)),
];

function typeText({ type, to, leftOut }: PlannedType): string {
  const fields = Object.fromEntries(type.fields.map((field) => [wellFormed(field.from), wellFormed(field.to)]));
  const table = { types: { [wellFormed(type.from)]: { to, fields } } };
  return [
    `\n${comment(`${type.from}: ${type.total} records.`)}${stringify(table)}`,
    ...leftOut.map(({ place, why }) => comment(`Left out: ${place}. ${why}`)),
  ].join('');
}

const comments = (...lines: readonly string[]): readonly string[] => lines.map(comment);

/** The text of a source must not end the comment that it stands in. */
const comment = (text: string): string => `# ${oneLine(text)}\n`;

const member = (name: string, value: string): string => stringify({ [wellFormed(name)]: wellFormed(value) });

/** TOML has no lone surrogates. */
const wellFormed = (text: string): string => text.toWellFormed();
