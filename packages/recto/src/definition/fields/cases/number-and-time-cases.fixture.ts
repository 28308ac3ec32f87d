import { type FieldCase, same } from './field-case.fixture.ts';

export const numberAndTimeCases: readonly FieldCase[] = [
  {
    type: 'integer',
    takes: [...same(0, 1, -1, 9007199254740991, -9007199254740991), [-0, 0]],
    rejects: [
      [1.5, 'wrong_type'],
      ['1', 'wrong_type'],
      [9007199254740992, 'wrong_type'],
      [true, 'wrong_type'],
      [[1], 'wrong_type'],
    ],
  },
  {
    type: 'integer',
    options: { min: -2, max: 5 },
    takes: same(-2, 0, 5),
    rejects: [
      [-3, 'too_small'],
      [6, 'too_large'],
    ],
  },
  {
    type: 'bigint',
    takes: [
      ['9223372036854775807', 9223372036854775807n],
      ['-9223372036854775808', -9223372036854775808n],
      ['007', 7n],
      [42, 42n],
      [9007199254740991, 9007199254740991n],
    ],
    rejects: [
      ['9223372036854775808', 'wrong_type'],
      ['1.5', 'wrong_type'],
      ['', 'wrong_type'],
      [1.5, 'wrong_type'],
      [9007199254740992, 'wrong_type'],
      [true, 'wrong_type'],
    ],
  },
  {
    type: 'bigint',
    options: { min: '9223372036854775806', max: '9223372036854775806' },
    takes: [['9223372036854775806', 9223372036854775806n]],
    rejects: [
      ['9223372036854775805', 'too_small'],
      ['9223372036854775807', 'too_large'],
      [5, 'too_small'],
    ],
  },
  {
    type: 'decimal',
    takes: [
      ['12.50', '12.5'],
      ['-0', '0'],
      ['0.1', '0.1'],
      ['123456789012345678901234567890.000000000000000000001', '123456789012345678901234567890.000000000000000000001'],
    ],
    rejects: [
      [12.5, 'wrong_type'],
      ['1e3', 'wrong_type'],
      ['abc', 'wrong_type'],
      ['.5', 'wrong_type'],
      ['', 'wrong_type'],
    ],
  },
  {
    type: 'decimal',
    options: { min: 0, max: '99999999999999999999.99' },
    takes: [
      ['0', '0'],
      ['99999999999999999999.99', '99999999999999999999.99'],
    ],
    rejects: [
      ['-0.01', 'too_small'],
      ['99999999999999999999.991', 'too_large'],
    ],
  },
  {
    type: 'float',
    takes: [...same(0, 1.5, -1e300, 5e-324), [-0, 0]],
    rejects: [
      ['1.5', 'wrong_type'],
      [Number.NaN, 'wrong_type'],
      [Number.POSITIVE_INFINITY, 'wrong_type'],
      [false, 'wrong_type'],
    ],
  },
  {
    type: 'float',
    options: { min: 0.5, max: 1.5 },
    takes: same(0.5, 1, 1.5),
    rejects: [
      [0.4999, 'too_small'],
      [1.5001, 'too_large'],
    ],
  },
  {
    type: 'boolean',
    takes: same(true, false),
    rejects: [
      ['true', 'wrong_type'],
      [1, 'wrong_type'],
      [0, 'wrong_type'],
    ],
  },
  {
    type: 'date',
    takes: same('2026-11-21', '2024-02-29', '0001-01-01', '9999-12-31'),
    rejects: [
      ['2026-02-29', 'wrong_type'],
      ['2026-13-01', 'wrong_type'],
      ['21.11.2026', 'wrong_type'],
      ['2026-11-21T10:00:00Z', 'wrong_type'],
      [20261121, 'wrong_type'],
    ],
  },
  {
    type: 'date',
    options: { min: '2026-01-01', max: '2026-12-31' },
    takes: same('2026-01-01', '2026-12-31'),
    rejects: [
      ['2025-12-31', 'too_small'],
      ['2027-01-01', 'too_large'],
    ],
  },
  {
    type: 'datetime',
    takes: [
      ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
      ['2026-11-21T10:00:00.123456+02:00', '2026-11-21T08:00:00.123Z'],
      ['2026-11-21t10:00:00z', '2026-11-21T10:00:00.000Z'],
    ],
    rejects: [
      ['2026-11-21T10:00:00', 'wrong_type'],
      ['2026-11-21', 'wrong_type'],
      ['2026-11-21T25:00:00Z', 'wrong_type'],
      ['2026-02-30T10:00:00Z', 'wrong_type'],
      [1763719200, 'wrong_type'],
    ],
  },
  {
    type: 'datetime',
    options: { min: '2026-01-01T00:00:00Z', max: '2026-12-31T23:59:59+01:00' },
    takes: [['2026-12-31T22:59:59Z', '2026-12-31T22:59:59.000Z']],
    rejects: [
      ['2025-12-31T23:59:59Z', 'too_small'],
      ['2026-12-31T23:59:59Z', 'too_large'],
    ],
  },
  {
    type: 'time',
    takes: [
      ['10:00', '10:00:00'],
      ['10:00:00', '10:00:00'],
      ['23:59:59.5', '23:59:59.500'],
    ],
    rejects: [
      ['24:00:00', 'wrong_type'],
      ['10:60', 'wrong_type'],
      ['10:00:00Z', 'wrong_type'],
      [10, 'wrong_type'],
    ],
  },
  {
    type: 'time',
    options: { min: '08:00', max: '17:30' },
    takes: [['08:00', '08:00:00']],
    rejects: [
      ['07:59:59', 'too_small'],
      ['17:30:00.001', 'too_large'],
    ],
  },
];
