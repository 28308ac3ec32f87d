import { datetimeField } from '../definition/fields/datetime-field.ts';
import type { Protocol } from '../definition/protocol.ts';
import { protocolField } from '../definition/protocols/protocol-field.ts';

/** When a record was first published: set as its status becomes `Published`, and then kept. */
export const publishable: Protocol = {
  name: 'publishable',
  fields: () => [
    protocolField('published_at', datetimeField, { required: false, description: 'When it was first published.' }),
  ],
  scheduledEffects: { published_at: 'time_if_null' },
  onCreate: ({ changed, now }) => (changed.status === 'Published' ? { published_at: now } : {}),
  onUpdate: ({ changed, now }, current) =>
    changed.status === 'Published' && current.published_at === null ? { published_at: now } : {},
};
