import { expect, test } from 'bun:test';
import { editedPath } from './edit-path.ts';

const id = '01a1fc5b-7859-739f-b95f-743537aef137';
const open = { plural: 'articles', id, fields: new Set(['title', 'body']) };

test.each([
  [`articles/${id}#title`, 'title'],
  [`${id}#title`, 'title'],
  [`articles/${id}#body.2.title`, 'body[2].title'],
  [`articles/${id}#body.12.links.0.url`, 'body[12].links[0].url'],
])('%s is a place in the form', (sent, path) => {
  expect(editedPath(sent, open)).toBe(path);
});

test.each([
  `posts/${id}#title`,
  'articles/01a1fc5b-7859-739f-b95f-743537aef138#title',
  `articles/${id}#password`,
  `articles/${id}#`,
  `articles/${id}#title"],input[name="x`,
  `articles/${id}#title.*`,
  `articles/${id}#body[2]`,
  `articles/${id}#title\n`,
  `articles/${id}#__proto__`,
  `javascript:alert(1)//${id}#title`,
  `articles/${id}#body${'.1'.repeat(400)}`,
  `articles/../../${id}#title`,
  '#title',
  '',
  null,
  undefined,
  1,
  {},
  // A list, and not what is in it.
  [[`articles/${id}#title`]],
])('%j is none', (sent) => {
  expect(editedPath(sent, open)).toBeUndefined();
});
