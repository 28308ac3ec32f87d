import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.ts';

/** Licences that may be part of a package under the MIT licence, with their texts beside it. */
const allowed: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
]);

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

const head = `# Third-party licences

Recto is under the MIT licence (see LICENSE). It works with the software of others, under these licences.

## Installed beside Recto

| Package | Licence |
|---|---|
| \`bun\`, the runtime | MIT. It is linked with JavaScriptCore and other libraries under LGPL-2.0 and other licences: see https://bun.com/docs/project/license. |
| \`sharp\` | Apache-2.0 |
| \`@img/sharp-libvips-*\`, the shared libraries of libvips and what it uses | **LGPL-3.0-or-later**. They are files of their own, which you can replace by other builds. |
| \`kysely\`, \`typebox\` | MIT. Installed for their types alone; their code is part of Recto, as below. |

The executable for one file contains the runtime, and neither sharp nor libvips.

`;

/** The text of THIRD-PARTY-LICENSES.md. Throws for a licence that nobody has looked at. */
export function licencesText(folders: ReadonlySet<string>, admin: string): string {
  const packages = [...folders].toSorted().map((folder) => ({ folder: join(root, folder), ...readPackage(folder) }));
  const unknown = packages.filter(({ license }) => !allowed.has(license));
  if (unknown.length > 0) {
    throw new Error(`Look at these licences: ${unknown.map(({ name, license }) => `${name}: ${license}`).join(', ')}`);
  }
  const parts = packages.map(
    ({ name, version, license, folder }) =>
      `### ${name} ${version} (${license})\n\n${fenced(textOf(folder))}\n${carriedBy(name)}`,
  );
  return `${head}## Part of Recto\n\n${parts.join('\n')}\n## Part of the admin\n\n${admin.replaceAll(/^#/gm, '##')}\n${typeface()}`;
}

/** The typeface of the admin is in the repository, so no package of npm names its licence. */
const typeface = (): string =>
  `### Public Sans (OFL-1.1)\n\n${fenced(readFileSync(join(root, 'packages/admin/public/typeface/OFL.txt'), 'utf8').trim())}\n`;

const readPackage = (folder: string): Package =>
  // What npm installed has these members.
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Package;

/** The licence and notices that a package carries. */
function textOf(folder: string): string {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = names.filter((name) => /^(?:licen[cs]e|copying|notice)(?:\.|$)/i.test(name)).toSorted();
  if (files.length === 0) return 'The package carries no text of its licence.';
  return files.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
}

/** What a package carries of others without a text of its licence. */
const carriedBy = (name: string): string =>
  name === 'unpdf'
    ? `\nIt contains PDF.js, copyright Mozilla Foundation, under Apache-2.0:\n\n${fenced(textOf('node_modules/sharp'))}\n`
    : '';

const fenced = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;
