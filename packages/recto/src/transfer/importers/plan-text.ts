import { stringify } from 'smol-toml';
import { oneLine } from '../../base/printable.ts';
import { definitionText } from '../../content-types/definition-text.ts';
import { importMapName } from './import-map-name.ts';
import type { ForeignContent, ForeignType, LeftOut, PlannedDefinition } from './importer.ts';

/** A file of a plan. */
export interface PlannedFile {
  /** Without folders. */
  readonly name: string;
  readonly text: string;
}

/** A definition with what its comments say. */
export interface PlannedType {
  readonly type: ForeignType;
  readonly definition: PlannedDefinition;
  readonly leftOut: readonly LeftOut[];
}

/** The file of a definition, which says above it where it comes from and what is left out. */
export function definitionFile({ type, definition, leftOut }: PlannedType, label: string): PlannedFile {
  const { format, text } = definitionText(definition, 'toml');
  const name = `${definition.singular}.${format}`;
  // JSON has no comments; the plan says the same.
  if (format === 'json') return { name, text };
  const head = [`From ${label}: ${type.from}.`, ...leftOut.map(({ place, why }) => `Left out: ${place}. ${why}`)];
  return { name, text: `${head.map(comment).join('')}\n${text}` };
}

/** The text of the plan. */
export function importMapText(
  { format, label }: { readonly format: string; readonly label: string },
  content: ForeignContent,
  types: readonly PlannedType[],
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
    ...content.accounts.map(({ from, total }) => `\n${comment(`${from}: ${total} accounts. They become members.`)}`),
    ...types.map(typeText),
    ...(content.leftOut.length === 0 ? [] : [`\n${comment(`Left out of ${label}:`)}`]),
    ...content.leftOut.map(({ place, why }) => comment(`- ${place}. ${why}`)),
  ].join('');
}

function typeText({ type, definition, leftOut }: PlannedType): string {
  const fields = Object.fromEntries(type.fields.map(({ from, to }) => [wellFormed(from), wellFormed(to)]));
  const table = { types: { [wellFormed(type.from)]: { to: definition.singular, fields } } };
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
