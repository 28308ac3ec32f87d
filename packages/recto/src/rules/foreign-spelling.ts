// What other rule languages have that this one has not, with what to write here instead.

/** Operators and marks of other languages. The longest alternatives stand first. */
export const foreignMarks = /\?==+|===?|!==|<>|=>|=<|=~|&(?!&)|\|(?!\|)|!(?![=~])|\/\*|[{}+*/]|\?(?!!=|!~|[=><~])/y;

const fixedMarks: Readonly<Record<string, string>> = {
  '==': 'Write = for equality.',
  '===': 'Write = for equality.',
  '?==': 'Write ?= for equality with any of them.',
  '!==': 'Write != for inequality.',
  '<>': 'Write != for inequality.',
  '=>': 'Write >= for "greater or equal".',
  '=<': 'Write <= for "less or equal".',
  '=~': 'Write ~ for a LIKE match.',
  '&': 'Write && for AND.',
  '|': 'Write || for OR.',
  '/*': 'Write // for a comment; it goes to the end of the line.',
  '{': 'There are no placeholders: write the value itself.',
  '}': 'There are no placeholders: write the value itself.',
  '?': 'There is no choice by ?: write a && b || c.',
};

export const calculationRemedy = 'An expression does not calculate, but for times such as @now - 7d (units s m h d w).';

/** What to write instead of the mark that stands at `at`. */
export function markRemedy(mark: string, source: string, at: number): string {
  if (mark === '!') return notRemedy(source, at + 1);
  return fixedMarks[mark] ?? `${calculationRemedy} ${mark} has no meaning here.`;
}

const negated = /\s*([A-Za-z_@][A-Za-z0-9_.-]*(?::[a-z]+)?)\s*(?=$|&&|\|\||\))/y;

/** What to write instead of a NOT whose operand begins at `at`. */
export function notRemedy(source: string, at: number): string {
  negated.lastIndex = at;
  const operand = negated.exec(source)?.[1];
  if (operand !== undefined) return `There is no NOT: write ${operand} != true.`;
  return 'There is no NOT: write != for =, !~ for ~, and != true after a boolean. In a group, negate each comparison and swap && and ||.';
}

const words: Readonly<Record<string, string>> = {
  and: 'Write && for AND.',
  or: 'Write || for OR.',
  is: 'Write = null or != null.',
  like: 'Write ~ for a LIKE match.',
  ilike: 'Write ~ for a LIKE match; it ignores the case of A to Z.',
  between: 'Write two comparisons, joined by &&: one with >= and one with <=.',
  contains: 'Write ~ with % on both sides, such as title ~ "%word%".',
  startswith: 'Write ~ with % at the end, such as title ~ "word%".',
  endswith: 'Write ~ with % at the start, such as title ~ "%word".',
  eq: 'Write = for equality.',
  ne: 'Write != for inequality.',
  gt: 'Write > for "greater".',
  gte: 'Write >= for "greater or equal".',
  lt: 'Write < for "less".',
  lte: 'Write <= for "less or equal".',
};

/** What to write instead of a word that stands after `left` where an operator belongs; undefined for any other word. */
export function wordRemedy(word: string, left: string, after: string): string | undefined {
  const known = word.toLowerCase();
  if (known === 'in') return inRemedy(left, after, 'in');
  if (known !== 'not') return Object.hasOwn(words, known) ? words[known] : undefined;
  const next = /^\s*(in|like|ilike)\b/i.exec(after);
  if (next === null) return 'There is no NOT: write != or !~.';
  if (next[1]?.toLowerCase() !== 'in') return 'Write !~ for NOT LIKE.';
  return inRemedy(left, after.slice(next[0].length), 'not in');
}

const list = /^\s*\(([^()[\]]*)\)/;

function inRemedy(left: string, after: string, operator: 'in' | 'not in'): string {
  const items = list.exec(after)?.[1];
  if (items === undefined || items.length > 200 || /\p{Cc}/u.test(items)) {
    return `Write the values of ${operator} in brackets, such as ${operator} ["a", "b"].`;
  }
  return `Write the values of ${operator} in brackets: ${left} ${operator} [${items.trim()}].`;
}

const caseRemedy = 'A to Z in lower case are :lower, such as title:lower = "word"; ~ ignores their case.';
const lengthRemedy = 'The length of text, JSON and relations to many is :length, such as title:length > 3.';
const nullRemedy = 'Write = null or != null.';
const timeRemedy =
  'Write @now for the time of the request, @today for its day, @now - 7d, or a string such as "2026-11-21".';
const partRemedy = 'Write ~ with %, such as title ~ "%word%".';

const functionRemedies: readonly (readonly [RegExp, string])[] = [
  [/^(to_?)?(lower|upper)(case)?$/, caseRemedy],
  [/^(len|length|size|count|char_length)$/, lengthRemedy],
  [/^(isset|exists|is_?null|not_?null|is_?empty|empty|coalesce|if_?null|has)$/, nullRemedy],
  [/^(now|today|date|datetime|time|strftime|current_timestamp|current_date)$/, timeRemedy],
  [/^(contains|includes|starts_?with|ends_?with|like|match|matches|index_?of|substr|substring)$/, partRemedy],
];

/** What to write instead of a function of that name (or a method, after a dot). */
export function functionRemedy(called: string): string {
  const name = called.slice(called.lastIndexOf('.') + 1).toLowerCase();
  const found = functionRemedies.find(([names]) => names.test(name))?.[1];
  return `There are no functions. ${found ?? 'A rule compares fields, values and variables.'}`;
}

/** What to write instead of a name such as `posts_via_author`; undefined for any other name. */
export const backRelationRemedy = (name: string): string | undefined =>
  /^\w{1,60}_via_\w{1,60}$/.test(name)
    ? 'To read the records that point here, declare a relation back: a one_to_many field with mapped_by.'
    : undefined;

/** What to write instead of a modifier of that name after a field. */
export function modifierRemedy(name: string, field: string): string {
  const known = name.toLowerCase();
  if (known === 'upper') return caseRemedy;
  if (known === 'changed') return `Whether an update changes it is @request.body.${field}:changed.`;
  if (known === 'each') return `A condition on any item is ${field} ?= …; there is none on each item.`;
  return /^(len|size|count)$/.test(known) ? `Write ${field}:length.` : '';
}

/** What to write instead of a modifier of that name after a value or a variable. */
export function valueModifierRemedy(name: string, operand: string): string {
  const known = name.toLowerCase();
  if (known === 'lower') return 'Write the value itself in lower case.';
  if (known === 'upper') return caseRemedy;
  if (known === 'length' || known === 'each') return `Compare ${operand} itself.`;
  return `To ask whether there is a value, write ${operand} != null.`;
}

const variableRemedies: readonly (readonly [RegExp, string])[] = [
  [
    /^@request\.auth\.(name|avatar|created|updated|collection\w*|emailVisibility|display_?name)\b/i,
    'Of the caller, rules read the id, role, tenant_id, email, username and verified, such as @request.auth.id. To admit certain accounts, keep their ids in a field and compare it with @request.auth.id.',
  ],
  [/^@request\.data\b/, 'Write @request.body.NAME for a field of the payload.'],
  [
    /^@request\.(headers|method|context|info)\b/,
    'Of a request, rules read @request.auth, @request.body.NAME and @request.query.NAME.',
  ],
  [/^@request\.auth$/, 'To ask whether the caller is signed in, write @request.auth.id != null.'],
  [/^@collection\b/, 'Rules read other records through a relation of the type, such as author.name.'],
  [/^@(auth|user|me|caller|request\.user)(\.id)?$/, 'Write @request.auth.id for the caller.'],
  [
    /^@(second|minute|hour|weekday|day|month|year|(today|month|year|week)(Start|End))$/,
    'Write @now for the time of the request, @today for the beginning of its day in UTC, @today - 7d, or a string such as "2026-11-21".',
  ],
];

/** What to write instead of a variable of other languages; undefined for any other name. */
export const variableRemedy = (name: string): string | undefined =>
  variableRemedies.find(([names]) => names.test(name))?.[1];
