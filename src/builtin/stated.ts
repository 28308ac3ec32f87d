import type { Protocol } from '../definition/protocol.ts';
import { protocolField } from '../definition/protocols/protocol-field.ts';
import { statusField } from './status-field.ts';

/** A record with a `status`, the first of these words unless another is set. Any may follow any other. */
export function stated(words: readonly [string, ...string[]]): Protocol {
  const field = protocolField('status', statusField(words), { writable: true, default: words[0] });
  return { name: 'stated', fields: () => [field] };
}
