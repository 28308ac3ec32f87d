import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { replacedAddresses, replacedGalleries, type UploadAddress } from './upload-addresses.ts';
import { uploadPath } from './uploaded-files.ts';

// What counts as an address, in one expression. It takes the square of the time where there are many slashes.
const addresses =
  /(?:(?:https?:)?\/\/([\w.-]+(?::\d+)?))?\/[\w./-]*?uploads\/([^\s"'<>()?#\]]+)(?:\?[^\s"'<>()\]]*)?/gi;

const shown = ({ host, path }: UploadAddress): string => `{${host ?? ''}|${path}}`;

const pieces = fc.constantFrom(
  ...['/', '//', ':', '.', '-', 'a', 'B1', '80', ' ', '"', '?', '#', 'é', '%', '\n', 'http:', 'https://', 'HTTPS:'],
  ...['uploads', 'uploads/', '/uploads/', 'Uploads/', 'wp-content', 'x.png', '/2013/03/', 'site.example', ':8080'],
);

test('the addresses of a text are those of the expression', () => {
  const text = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.boolean(), (written, isReplaced) => {
      const expected = written.replace(addresses, (found: string, host: string | undefined, path: string) =>
        isReplaced ? shown({ host, path }) : found,
      );
      expect(replacedAddresses(written, (found) => (isReplaced ? shown(found) : undefined))).toBe(expected);
    }),
    { numRuns: randomCases(3000), examples: [['//HTTPS:80/uploads//', true]] },
  );
});

test('the galleries of a text are those of the expression', () => {
  const parts = fc.constantFrom('[gallery', '[GALLERY ', '[galleryx', ']', '[', ' ids="1,2"', 'a', '\n');
  const text = fc.array(parts, { maxLength: 12 }).map((found) => found.join(''));
  fc.assert(
    fc.property(text, (written) => {
      const expected = written.replace(/\[gallery\b([^\]]*)\]/gi, (_, attributes: string) => `{${attributes}}`);
      expect(replacedGalleries(written, (attributes) => `{${attributes}}`)).toBe(expected);
    }),
    { numRuns: randomCases(1000) },
  );
});

// Each would take hours in the square of the time.
describe('long texts', () => {
  const long = 8_000_000;
  test.each([
    ['slashes', '/'.repeat(long)],
    ['folders', '/a'.repeat(long / 2)],
    ['hosts', '//a:1'.repeat(long / 5)],
    ['schemes', 'https://'.repeat(long / 8)],
    ['folders of uploads without a file', 'uploads/ '.repeat(long / 9)],
    ['ports of uploads', ':uploads/'.repeat(long / 9)],
    ['galleries without an end', '[gallery '.repeat(long / 9)],
  ])('%s', (_, text) => {
    const none = (): undefined => undefined;
    expect(replacedGalleries(replacedAddresses(text, none), none)).toBe(text);
  });

  test('a path with many folders of uploads, and a line end', () => {
    const path = `${'/uploads/x'.repeat(long / 10)}\n`;
    expect(uploadPath(path)).toBe(path.slice('/uploads/'.length));
  });
});
