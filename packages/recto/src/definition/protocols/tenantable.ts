import { tenantField } from '../fields/tenant-field.ts';
import { defineProtocol } from '../protocol.ts';
import { protocolField } from './protocol-field.ts';

const column = 'tenant_id';

/**
 * Records that belong to one tenant, and that nobody of another sees, changes, counts or refers to. Who belongs to no
 * tenant works with those of all on the admin routes, and says of a new one whose it is.
 */
export const tenantable = defineProtocol({
  name: 'tenantable',
  partition: column,
  fields: () => [
    protocolField(column, tenantField, {
      writable: true,
      required: false,
      immutable: true,
      indexed: true,
      description: 'The tenant that the record belongs to; null: none. Set at creation, by who belongs to none.',
    }),
  ],
});
