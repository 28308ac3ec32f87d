/** The form of a tenant id: 1 to 63 lower-case letters, digits, `-` and `_`, a letter or digit first. A UUID is one. */
export const tenantPattern = '^[a-z0-9][a-z0-9_-]{0,62}$';

export const longestTenantId = 63;

const tenant = new RegExp(tenantPattern, 'u');

export const isTenantId = (text: string): boolean => tenant.test(text);

/** For messages. */
export const tenantRule = 'A tenant is 1 to 63 letters a to z, digits, "-" or "_", and begins with a letter or digit.';
