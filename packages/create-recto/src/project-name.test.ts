import { expect, test } from 'bun:test';
import { projectName } from './project-name.ts';

test.each(['my-site', 'a', '2026', 'my.site_2', ' my-site '])('%j is a project name', (given) => {
  expect(projectName(given)).toEqual({ name: given.trim() });
});

const wrong: readonly [string, RegExp][] = [
  ['', /needs a name/],
  ['   ', /needs a name/],
  ['My-Site', /a-z, 0-9/],
  ['../elsewhere', /a-z, 0-9/],
  ['/tmp/site', /a-z, 0-9/],
  ['.hidden', /beginning with a letter/],
  ['-rf', /beginning with a letter/],
  ['my site', /a-z, 0-9/],
  ['site\u0000', /a-z, 0-9/],
  ['node_modules', /reserves/],
  ['a'.repeat(215), /at most 214/],
];
test.each(wrong)('%j is none', (given, reason) => {
  expect(projectName(given).error).toMatch(reason);
});
