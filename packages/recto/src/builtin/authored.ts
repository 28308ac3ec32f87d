import { callerId } from '../base/caller.ts';
import { idField } from '../definition/fields/id-field.ts';
import type { Protocol } from '../definition/protocol.ts';
import { protocolField } from '../definition/protocols/protocol-field.ts';

/** Whose record it is: the id of the account that created it, null for an anonymous caller. */
export const authored: Protocol = {
  name: 'authored',
  fields: () => [
    protocolField('author_id', idField, {
      required: false,
      description: 'The account that created it; null for an anonymous caller.',
    }),
  ],
  onCreate: ({ caller }) => ({ author_id: callerId(caller) }),
};
