/** The name of the file that a plan is written to. */
export const importMapName = 'import-map.toml';
