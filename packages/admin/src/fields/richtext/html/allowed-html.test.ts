import { expect, test } from 'bun:test';
import * as service from '../../../../../recto/src/definition/fields/allowed-html.ts';
import { sanitizedHtml } from '../../../../../recto/src/definition/fields/sanitized-html.ts';
import * as own from './allowed-html.ts';

test('the editor offers what the service keeps', () => {
  expect(own.allowedElements).toEqual(service.allowedElements);
  expect(own.droppedWithText).toEqual(service.droppedWithText);
  expect(own.allowedAttributes).toEqual(service.allowedAttributes);
  expect(own.allowedSchemes).toEqual(service.allowedSchemes);
  expect(own.embedHosts).toEqual(service.embedHosts);
});

test.each([
  ['a', 'href', 'https://example.com/'],
  ['a', 'href', '/relative'],
  ['a', 'href', 'javascript:alert(1)'],
  ['a', 'href', ' java\tscript:alert(1)'],
  ['a', 'href', 'data:text/html,x'],
  ['a', 'onclick', 'x'],
  ['p', 'style', 'text-align:center'],
  ['p', 'style', 'color:red'],
  ['p', 'id', 'name'],
  ['p', 'id', 'a-name'],
  ['p', 'class', 'wide'],
  ['p', 'data-x', '1'],
  ['img', 'src', 'https://example.com/a.png'],
  ['img', 'alt', 'A harbour'],
  ['img', 'onerror', 'x'],
  ['td', 'colspan', '2'],
])('<%s %s="%s">', (element, name, value) => {
  const kept = new RegExp(` ${name}=`).test(
    sanitizedHtml(
      `<${element} ${name}="${value}">x</${element}>`.replace(/^<td(.*)$/, '<table><tr><td$1</tr></table>'),
    ) ?? '',
  );
  expect(own.isAllowedAttribute(element, name, value)).toBe(kept);
});
