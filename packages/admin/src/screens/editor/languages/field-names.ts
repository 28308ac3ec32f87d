import type { FieldInfo } from '../../../fields/field.ts';
import { localeCode, t } from '../../../text/text.ts';

/** So many are named. */
const most = 4;

/** Fields by their labels, for a sentence. */
export function fieldNames(fields: ReadonlyMap<string, FieldInfo>, names: readonly string[]): string {
  const labels = names.map((name) => fields.get(name)?.label ?? name);
  const list = new Intl.ListFormat(localeCode(), { type: 'unit', style: 'long' });
  const shown = list.format(labels.slice(0, most));
  return labels.length <= most ? shown : t('languages.more', { fields: shown, count: labels.length - most });
}
