import { environmentName, fileName, type Setting, settingKeys, settingTable } from '../../config/setting-table.ts';

/** `recto.toml` with every setting as a comment, at its default. Secrets are listed by their environment variables. */
export function settingsTemplate(): string {
  const secrets = settingKeys.filter((key) => settingTable[key].secret);
  const plain = settingKeys.filter((key) => !settingTable[key].secret);
  return [settingsHead, ...plain.map(settingText), secretsText(secrets.map(environmentName))].join('\n');
}

const settingsHead = `# Settings of this project. Take away the "# " of a line to change it.
# A variable such as RECTO_PORT in the environment wins over a line here.
`;

const secretsText = (names: readonly string[]): string =>
  `# What holds secrets is best kept in the environment:\n${names.map((name) => `# ${name}\n`).join('')}`;

function settingText(key: (typeof settingKeys)[number]): string {
  const { type, doc, default: fallback }: Setting<unknown> = settingTable[key];
  const value = fallback === undefined ? '""' : tomlOf(fallback);
  return `# ${doc} (${type.expects})\n# ${fileName(key)} = ${value}\n`;
}

/** Tables stand in the file as tables of their own; as a value, JSON in a text adds none to those that are built in. */
const tomlOf = (value: unknown): string =>
  typeof value === 'object' && !Array.isArray(value) ? "'{}'" : JSON.stringify(value);
