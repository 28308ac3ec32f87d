import { badRequest, type Problem } from '../../base/problem.ts';

/** What one answer may take. */
export interface AnswerBudget {
  /** Records in the answer in addition to those requested: by `include`, or as replies. */
  readonly included: number;
  /** Of the answer as UTF-8. */
  readonly bytes: number;
}

export const defaultBudget: AnswerBudget = { included: 10_000, bytes: 16 * 1024 * 1024 };

/**
 * So many records at most are built without being weighed first. They are held to the budget too, but only by the
 * size of what was built: weighing the common page would cost more than it could spare.
 */
export const mostUnweighed = 32;

/** The answer's text if it is within the budget; throws otherwise. */
export function withinBudget(text: string, { bytes }: AnswerBudget): string {
  // A UTF-16 unit is at most three bytes of UTF-8.
  if (text.length * 3 > bytes && Buffer.byteLength(text) > bytes) throw tooLarge('bytes', bytes);
  return text;
}

export function tooLarge(what: keyof AnswerBudget, most: number): Problem {
  const limit = what === 'included' ? `${most} included records` : `${most} bytes`;
  return badRequest(
    'answer_too_large',
    `The answer would have more than ${limit}. Ask for fewer records (page_size) or include less.`,
  );
}
