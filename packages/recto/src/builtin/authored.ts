import { callerId } from '../base/caller.ts';
import { idField } from '../definition/fields/id-field.ts';
import { profileSingular } from '../definition/profile/profile-type.ts';
import type { Protocol } from '../definition/protocol.ts';
import { protocolField } from '../definition/protocols/protocol-field.ts';

/** Whose record it is: the id of the account that created it, null for an anonymous caller. */
export const authored: Protocol = {
  name: 'authored',
  fields: () => [
    protocolField('author_id', idField, {
      required: false,
      indexed: true,
      includedAs: { name: 'author', target: profileSingular },
      description: 'The account that created it; null for an anonymous caller.',
    }),
  ],
  onCreate: ({ caller }) => ({ author_id: callerId(caller) }),
};
