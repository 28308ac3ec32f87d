/** Exports of Strapi 4.6 and later. */
export const aboutStrapi = {
  format: 'strapi',
  label: 'Strapi',
  takes: 'an export (strapi export), packed and encrypted or not, or the folder that it was unpacked into',
  help: `Content types become content types, with components, dynamic zones, languages, drafts, relations and files; users become accounts, which keep their
passwords. What the roles Public and Authenticated may do decides who may use the routes. An encrypted export takes --key-stdin.`,
} as const;
