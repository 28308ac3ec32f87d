/** Data folders of PocketBase, from version 0.8 on. */
export const aboutPocketbase = {
  format: 'pocketbase',
  label: 'PocketBase',
  takes: 'a data folder (pb_data), or the data.db in one',
  help: `Collections become content types, with their rules, files and relations. The records of one auth collection become accounts, which keep
their passwords. PocketBase may run meanwhile. Files in S3 come along with --media and a copy of the bucket.`,
} as const;
