import { expect, test } from 'bun:test';
import { redirectFormats } from './redirect-formats.ts';

const hostile = [
  '/a b',
  '/a\n/b /c 200',
  '/a\r\n',
  '/a"; include /etc/passwd; "',
  '/$host',
  '/:splat',
  '/*',
  '/(.*)',
  '/a?b#c',
  '/ü\u2028',
];

test('no value begins another part, line, pattern or variable', () => {
  for (const from of hostile) {
    const redirect = { from, to: from };
    for (const format of [redirectFormats.netlify, redirectFormats.cloudflare]) {
      expect(format.write(redirect)).toMatch(/^\/[A-Za-z0-9%/._~-]* \/[A-Za-z0-9%/._~-]* 30[18]\n$/);
    }
    expect(redirectFormats.nginx.write(redirect)).toMatch(/^"\/[A-Za-z0-9%/._~-]*" "\/[A-Za-z0-9%/._~-]*";\n$/);
    const { source, destination } = JSON.parse(redirectFormats.vercel.write(redirect));
    for (const path of [source, destination]) {
      expect(path).toMatch(/^\/[A-Za-z0-9%/._~-]*$/);
      expect(decodeURIComponent(path)).toBe(from);
    }
  }
});
