import { isTable } from '../values/json-table.ts';
import type { JsonValue } from '../values/value-kind.ts';
import type { ScreenText } from './screen-text-schema.ts';
import type { Report, WrittenField } from './type-draft.ts';

/** Where there is one text and no reader: the English one, else the first. */
export const plainText = (text: ScreenText | undefined): string | undefined =>
  typeof text === 'object' ? (text.en ?? Object.values(text)[0]) : text;

/** Checks the languages of a text. */
export function checkScreenText(text: JsonValue | undefined, path: string, report: Report): void {
  if (!isTable(text)) return;
  const codes = Object.keys(text);
  if (codes.length === 0) report(path, 'has no text in any language', 'write one, such as { en = "Summary" }');
  for (const code of codes) {
    if (isLanguage(code)) continue;
    report(`${path}.${code}`, `"${code}" is no language`, 'write a code such as "en" or "pt-BR"');
  }
}

/** A code in the spelling that readers' languages are compared with (BCP 47). */
function isLanguage(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code)[0] === code && /^[a-z]{2,3}(?:-|$)/.test(code);
  } catch {
    return false;
  }
}

/** Checks the texts of a field for people's screens; `values` are what it can be, where it is one of several. */
export function checkFieldTexts(written: WrittenField, values: readonly string[] | undefined, report: Report): void {
  for (const name of ['label', 'help', 'placeholder'] as const) checkScreenText(written[name], name, report);
  const labels = written.value_labels;
  if (labels === undefined) return;
  if (values === undefined) {
    report('value_labels', `a field of type ${written.field_type} has no value_labels`, 'leave it out');
    return;
  }
  checkValueLabels(labels, values, report);
}

/** Checks the texts of values by the values that there are. */
export function checkValueLabels(
  labels: Readonly<Record<string, JsonValue>>,
  values: readonly string[],
  report: Report,
): void {
  for (const [value, text] of Object.entries(labels)) {
    const path = `value_labels.${value}`;
    if (values.includes(value)) checkScreenText(text, path, report);
    else report(path, `"${value}" is not one of the values`, `the values are: ${values.join(', ')}`);
  }
}
