/** A name for a new project, or the reason why it cannot be one. */
export type ProjectName =
  | { readonly name: string; readonly error?: never }
  | { readonly error: string; readonly name?: never };

/** The most that the npm registry takes. */
const maxLength = 214;

/**
 * Checks that a project's name works both as a folder and as the `name` in its package.json:
 * the rules of npm for names without a scope, https://docs.npmjs.com/cli/configuring-npm/package-json#name.
 */
export function projectName(given: string): ProjectName {
  const name = given.trim();
  if (name === '') return { error: 'A project needs a name: npm create recto my-site.' };
  if (name.length > maxLength) return { error: `A project name has at most ${maxLength} characters.` };
  if (name === 'node_modules' || name === 'favicon.ico') return { error: `"${name}" is a name that npm reserves.` };
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name))
    return {
      error: `"${name}" cannot be a project name: use a-z, 0-9, "-", "_" and ".", beginning with a letter or a digit.`,
    };
  return { name };
}
