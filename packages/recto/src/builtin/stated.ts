import type { Protocol } from '../definition/protocol.ts';
import { protocolField } from '../definition/protocols/protocol-field.ts';
import { scheduledStatus, statusColumn } from '../definition/protocols/scheduled-status.ts';
import { statusField } from './status-field.ts';

/**
 * A record with a `status`, the first of these words unless another is set. Any may follow any other, and with `published`
 * a record becomes that one, which is that of published records, by itself at a time that editors set. With `byLanguage`, each language
 * has a status of its own, and public routes show what is published.
 */
export function stated<Word extends string>(
  words: readonly [Word, ...Word[]],
  published?: Word,
  { byLanguage = false }: { readonly byLanguage?: boolean } = {},
): Protocol {
  const status = protocolField(statusColumn, statusField(words), { writable: true, default: words[0] });
  if (published === undefined) return { name: 'stated', fields: () => [status] };
  const { field, update, faults, values } = scheduledStatus(published);
  return {
    name: 'stated',
    fields: () => [status, field],
    scheduled: () => update,
    publishedState: () => ({ column: statusColumn, value: published }),
    ...(byLanguage
      ? {
          byLanguage: () => [statusColumn, ...(update.at === undefined ? [] : [update.at])],
          visible: () => ({ condition: `${statusColumn} = ${JSON.stringify(published)}`, hiddenFrom: 'public' }),
        }
      : {}),
    onCreate: (moment) => values(moment, null),
    onUpdate: values,
    storedFaults: async (moment, current) => faults(moment, current, () => undefined),
  };
}
