import { expect, test } from 'bun:test';
import { withConditions, withoutConditions } from './since-filter.ts';

const since = 'updated_at > "2026-01-01T00:00:00.000Z" && updated_by != "me"';

test.each(['', 'status = "draft"', 'a = 1 || b = 2', '(a = 1) && (b = 2)', 'title = ") || ("'])(
  '%p has what was added, and not any more',
  (filter) => {
    const added = withConditions(filter, since);
    expect(withoutConditions(added, since)).toBe(filter);
    expect(added).toEndWith(since);
  },
);

test.each(['', 'status = "draft"', `status = "draft" && ${since}`, `(a = 1) && (b = 2) && ${since}`])(
  '%p never had it',
  (filter) => {
    expect(withoutConditions(filter, since)).toBeUndefined();
  },
);
