import { expect, test } from 'bun:test';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/documents.ts';

// The codes of problems: what the service sends, what the reference lists, and what the types of the client name.

const source = join(projectRoot, 'packages/recto/src');

/** Where the sources make a problem with a code that is written there. */
const made =
  /\b(?:badRequest|unauthorized|forbidden|conflict|unavailable|new Problem)\(\s*(?:[\w.]+,\s*)?'(?<code>[a-z_]+)'/g;

const sent = new Set(
  globSync('**/*.ts', { cwd: source })
    .filter((file) => !/\.(?:test|fixture)\.ts$/.test(file))
    .flatMap((file) => [...readFileSync(join(source, file), 'utf8').matchAll(made)])
    .map(({ groups }) => groups?.code ?? ''),
);

/** The rows of every table of codes on the page. */
const listed = [
  ...readFileSync(join(projectRoot, 'docs/rest-api.md'), 'utf8').matchAll(
    /^\| Code \|.*\n\|.*\n(?<rows>(?:\|.*\n)+)/gm,
  ),
].flatMap(({ groups }) =>
  [...(groups?.rows ?? '').matchAll(/^\|(?<codes>[^|]*)\|/gm)].flatMap((row) =>
    [...(row.groups?.codes ?? '').matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
  ),
);

test('every code that the service sends is in the reference', () => {
  expect(sent.size).toBeGreaterThan(60);
  expect([...sent].filter((code) => !listed.includes(code)).toSorted()).toEqual([]);
});

test('the client names the codes of the reference, and no others', () => {
  const text = readFileSync(join(projectRoot, 'packages/client/src/service-error-code.ts'), 'utf8');
  const named = [...text.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
  expect(named).toEqual([...new Set(listed)]);
});
