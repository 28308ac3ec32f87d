/** Exports of Contentful. */
export const aboutContentful = {
  format: 'contentful',
  label: 'Contentful',
  takes: 'a file that "contentful space export" has written, or the folder of one',
  help: `Entries become records in all their languages, and rich text becomes HTML. Files come along with --media and the folder of
"contentful space export --download-assets", or with --fetch. Everything is for admins, unless --set public=yes is given with --plan.`,
} as const;
