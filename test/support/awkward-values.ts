import fc from 'fast-check';

/** JSON values that are wrong for most fields, and near to right for some. */
export const awkwardValues = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'é',
    'é',
    '𝒳'.repeat(15),
    '\u202e',
    'a'.repeat(5000),
    '0',
    '-0',
    '1e400',
  ),
  fc.constantFrom(0, -0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 53), null, true, [], {}, [[]], ['x', 'x']),
  fc.constantFrom(
    '2026-02-30',
    '2026-02-28T24:00:00Z',
    '2026-01-01T00:00:00',
    '25:00',
    '9223372036854775808',
    '1.0',
    '/a',
  ),
);
