/** Projects of Directus, as its template tool writes them. */
export const aboutDirectus = {
  format: 'directus',
  label: 'Directus',
  takes:
    'a folder with schema/snapshot.json, content/*.json, files.json and assets/, as "directus-template-cli extract" writes it',
  help: `Collections become content types, translations become languages, and users become members without a password. What the public may
read stays public where a rule can say it; everything else is closed. Roles are written into files, and no account has them.`,
} as const;
