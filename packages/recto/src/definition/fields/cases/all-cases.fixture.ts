import type { FieldCase } from './field-case.fixture.ts';
import { numberAndTimeCases } from './number-and-time-cases.fixture.ts';
import { structuredCases } from './structured-cases.fixture.ts';
import { textCases } from './text-cases.fixture.ts';

/** Cases of every field type. */
export const cases: readonly FieldCase[] = [...textCases, ...numberAndTimeCases, ...structuredCases];
