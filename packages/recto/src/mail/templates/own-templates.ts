import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { templateFault } from './fill-template.ts';
import { type MailKind, type MailLanguage, mailKinds, mailLanguages, namesOf } from './mail-kind.ts';

/** The templates of a project: `password_reset.de.html`. */
export type OwnTemplates = ReadonlyMap<string, string>;

export const templateNames = (kind: MailKind, language: MailLanguage, form: 'html' | 'txt'): readonly string[] => [
  `${kind}.${language}.${form}`,
  `${kind}.${form}`,
];

/** The templates of a folder; none where there is no folder. */
export async function readOwnTemplates(folder: string): Promise<OwnTemplates> {
  const names = await namesIn(folder);
  const templates = names.filter((name) => /\.(?:html|txt)$/.test(name) && !name.startsWith('.'));
  return new Map(
    await Promise.all(templates.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** What is wrong with the templates of a folder, one line each. */
export async function ownTemplateFaults(folder: string): Promise<readonly string[]> {
  const known = new Map<string, MailKind>(
    mailKinds.flatMap((kind) =>
      [...mailLanguages.map((language) => `.${language}`), ''].flatMap((language) =>
        ['html', 'txt'].map((form) => [`${kind}${language}.${form}`, kind] as const),
      ),
    ),
  );
  const faults: string[] = [];
  for (const [name, source] of await readOwnTemplates(folder)) {
    const kind = known.get(name);
    const fault =
      kind === undefined
        ? `there is no such mail; there are ${mailKinds.join(', ')}, with ${mailLanguages.join(' or ')}, as .html and .txt`
        : (templateFault(source, namesOf(kind)) ?? subjectFault(name, source));
    if (fault !== undefined) faults.push(`${join(folder, name)}: ${fault}`);
  }
  return faults;
}

const subjectFault = (name: string, source: string): string | undefined =>
  name.endsWith('.txt') && !/^Subject: \S/.test(source)
    ? 'the first line of a .txt is the subject: "Subject: …"'
    : undefined;
