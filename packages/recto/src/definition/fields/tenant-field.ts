import Type from 'typebox';
import { isTenantId, longestTenantId, tenantPattern, tenantRule } from '../../base/tenant-id.ts';
import { tenantDomain } from '../../rules/value-domain.ts';
import { defineFieldType } from '../field-type.ts';
import { accepted, rejected } from './parsed-value.ts';

/** The name of a tenant. No definition can name this type. */
export const tenantField = defineFieldType({
  name: 'tenant',
  kind: 'text',
  longest: longestTenantId,
  domain: () => tenantDomain,
  input: () => Type.String({ pattern: tenantPattern }),
  parse: (value) =>
    typeof value === 'string' && isTenantId(value) ? accepted(value) : rejected('bad_format', tenantRule),
});
