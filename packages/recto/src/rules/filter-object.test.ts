import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { compileFilter, isEmptyFilter } from './filter-expression.ts';
import { FilterObjectError, writeFilterObject } from './filter-object.ts';
import { articleScope } from './scope.fixture.ts';

// A filter as JSON is the expression that it is written out as, and nothing in it becomes more than a value.

const written = (filter: unknown): string => writeFilterObject(JSON.stringify(filter)).text;

describe('an object is written out as an expression', () => {
  test.each<readonly [unknown, string]>([
    [{ views: { gt: 5 } }, 'views > 5'],
    [{ views: { gte: 5, lt: 1e21 } }, 'views >= 5 && views < 1000000000000000000000'],
    [{ status: 'a "quoted" \\ word' }, 'status = "a \\"quoted\\" \\\\ word"'],
    [{ author: { name: { like: 'Ines%' } }, featured: true }, 'author.name ~ "Ines%" && featured = true'],
    [{ 'author.name': { notLike: 'x' } }, 'author.name !~ "x"'],
    [{ slug: null, id: { ne: null } }, 'slug = null && id != null'],
    [{ status: ['a', 'b'], views: { notIn: [1, 2] } }, 'status in ["a", "b"] && views not in [1, 2]'],
    [{ topics: { slug: { any: 'type' } } }, 'topics.slug ?= "type"'],
    [{ members: { any: { ne: 'x' } } }, 'members ?!= "x"'],
    [{ topics: { name: { any: { lower: { like: 'x%' } } } } }, 'topics.name:lower ?~ "x%"'],
    [{ title: { lower: { like: 'x%' }, length: { gt: 3 } } }, 'title:lower ~ "x%" && title:length > 3'],
    [{ 'title:lower': 'x', 'topics:isset': true }, 'title:lower = "x" && topics:isset = true'],
    [{ a: 1, $or: [{ b: 2, c: 3 }, { $and: [{ d: 4 }, { e: 5 }] }] }, 'a = 1 && (b = 2 && c = 3 || d = 4 && e = 5)'],
    [{ $or: [{ a: 1 }] }, '(a = 1)'],
    [{ author: { $or: [{ name: 'x' }, { age: { lte: 3 } }] } }, '(author.name = "x" || author.age <= 3)'],
    [{ views: { $or: [{ gt: 5 }, { eq: 1 }] } }, '(views > 5 || views = 1)'],
    [{ tags: { any: { $or: ['x', 'y'].map((eq) => ({ eq })) } } }, '(tags ?= "x" || tags ?= "y")'],
    [{}, ''],
    [{ author: { name: {} }, $and: [{ a: 1 }] }, 'a = 1'],
    [{ 'sub-title': 'x', eq: 1, any: 2 }, 'sub-title = "x" && eq = 1 && any = 2'],
  ])('%j', (filter, text) => expect(written(filter)).toBe(text));

  test.each([
    ['1.50', '1.50'],
    ['9007199254740993', '9007199254740993'],
    ['-0.10', '-0.10'],
    ['1e3', '1000'],
    ['-1.5e-3', '-0.0015'],
    ['1.25E1', '12.5'],
    ['12e-1', '1.2'],
    ['0e5', '0'],
  ])('with every digit of %s', (number, digits) => {
    expect(writeFilterObject(`{"a":${number}}`).text).toBe(`a = ${digits}`);
  });
});

function errorOf(source: string): FilterObjectError {
  try {
    compileFilter(source, articleScope);
  } catch (error) {
    if (error instanceof FilterObjectError) return error;
    throw error;
  }
  throw new Error(`${source} was taken for a filter`);
}

describe('no filter', () => {
  test.each([
    ['{', '', 'this is no JSON'],
    ['{:title}', '', 'this is no JSON'],
    ["{'title':'x'}", '', 'this is no JSON'],
    ['{"views":1} && true', '', 'this is no JSON'],
    ['{}', '', 'cannot be empty'],
    ['{"author":{}}', '', 'cannot be empty'],
    ['{"views":1,"views":2}', '', 'twice'],
    ['{"author":{"name":"x","\\u006eame":"y"}}', '', 'twice'],
    ['{"titel":"x"}', 'titel', 'Did you mean "title"?'],
    ['{"views":1,"author":{"nam":"x"}}', 'author.nam', 'There is no field "nam"'],
    ['{"$or":[{"views":1},{"title":{"gt":"a","like":5}}]}', '$or[1].title.like', 'The other side is text'],
    ['{"title":"x","$and":[{"views":"5"}]}', '$and[0].views', 'write a whole number'],
    ['{"price":"much"}', 'price', 'The other side is a decimal'],
    ['{"rating":"1.5"}', 'rating', 'The other side is a number'],
    ['{"$or":[]}', '$or', 'a list of one object or more'],
    ['{"$or":{"views":1}}', '$or', 'a list of one object or more'],
    ['{"$or":[{"views":1},{}]}', '$or[1]', 'each with a condition'],
    ['{"$and":[5]}', '$and[0]', 'each with a condition'],
    ['{"views":{"in":[]}}', 'views.in', 'stands where'],
    ['{"views":[1,null]}', 'views', 'A list holds'],
    ['{"views":[{"gt":5}]}', 'views', 'A comparison takes a value'],
    ['{"views":{"eq":{"gt":5}}}', 'views.eq', 'A comparison takes a value'],
    ['{"tags":{"any":["a"]}}', 'tags.any', '?'],
    ['{"views = 1 || title":1}', 'views = 1 || title', '"views = 1 || title" is no name of a field.'],
    ['{"@request.auth.id":"x"}', '@request.auth.id', 'is no name of a field'],
    ['{"true":true}', 'true', 'is no name of a field'],
    ['{"":1}', '', 'is no name of a field'],
    ['{"views":1e999999999}', 'views', 'too large'],
    ['{"secret":"x"}', 'secret', 'cannot be read'],
  ])('%p', (source, path, reason) => {
    const error = errorOf(source);
    expect(error.path).toBe(path);
    expect(error.message).toContain(reason);
  });

  test('is too long, too deep or has too many conditions', () => {
    expect(() => compileFilter(`{"title":"${'x'.repeat(5000)}"}`, articleScope)).toThrow('at most 4096 bytes');
    const nested = (name: string, depth: number): string =>
      `${`{"${name}":[`.repeat(depth)}{"views":1}${']}'.repeat(depth)}`;
    for (const name of ['$or', '$and']) {
      expect(() => compileFilter(nested(name, 32), articleScope)).not.toThrow();
      expect(errorOf(nested(name, 33)).message).toContain('at most 32 deep');
    }
    const many = (count: number): string =>
      JSON.stringify({ $or: Array.from({ length: count }, () => ({ views: 1 })) });
    expect(() => compileFilter(many(64), articleScope)).not.toThrow();
    expect(errorOf(many(65)).message).toContain('at most 64 conditions');
    expect(errorOf(`${'{"author":'.repeat(300)}1${'}'.repeat(300)}`).message).toContain(
      'There is no field "author" in "author"',
    );
  });

  test('where there is no condition', () => {
    expect(['{}', ' { "author" : {} }'].map(isEmptyFilter)).toEqual([true, true]);
    expect(['', '{"views":1}', 'views = 1', '{"author":null}'].map(isEmptyFilter)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

/** A condition as an object and as the expression that a person would write. */
interface Both {
  readonly object: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const quoted = (value: string): string => `'${value.replace(/['\\]/g, '\\$&')}'`;
const title = fc.string({
  unit: fc.constantFrom('a', '"', "'", '\\', '%', '&', '|', '{', '}', '(', ' ', 'é'),
  maxLength: 6,
});
const whole = fc.integer({ min: -5, max: 5 });
const symbols = { eq: '=', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const symbol = fc.constantFrom(...(Object.keys(symbols) as (keyof typeof symbols)[]));

const single: fc.Arbitrary<Both> = fc.oneof(
  fc.tuple(symbol, title).map(([name, value]) => ({
    object: { title: { [name]: value } },
    text: `title ${symbols[name]} ${quoted(value)}`,
  })),
  title.map((value) => ({ object: { title: value }, text: `title = ${quoted(value)}` })),
  fc.tuple(symbol, whole).map(([name, value]) => ({
    object: { author: { age: { [name]: value } } },
    text: `author.age ${symbols[name]} ${value}`,
  })),
  fc.array(whole, { minLength: 1, maxLength: 4 }).map((values) => ({
    object: { views: { notIn: values } },
    text: `views not in [${values.join()}]`,
  })),
  title.map((value) => ({ object: { tags: { name: { any: value } } }, text: `tags.name ?= ${quoted(value)}` })),
  whole.map((value) => ({ object: { title: { length: { gt: value + 5 } } }, text: `title:length > ${value + 5}` })),
  fc.integer({ min: -999, max: 999 }).map((value) => ({
    object: { price: (value / 100).toFixed(2) },
    text: `price = ${(value / 100).toFixed(2)}`,
  })),
  fc.constantFrom<Both>(
    { object: { published: true }, text: 'published = true' },
    { object: { author: null }, text: 'author = null' },
    { object: { meta: { color: 'red' } }, text: 'meta.color = "red"' },
  ),
);

const { tree } = fc.letrec<{ tree: Both }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    single,
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((all) => ({
      object: { $or: all.map(({ object }) => object) },
      text: `(${all.map(({ text }) => text).join(' || ')})`,
    })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((all) => ({
      object: { $and: all.map(({ object }) => object) },
      text: all.map(({ text }) => text).join(' && '),
    })),
  ),
}));

test('an object and its expression are the same tree, whatever the values', () => {
  fc.assert(
    fc.property(tree, ({ object, text }) => {
      const source = JSON.stringify(object);
      fc.pre(source.length < 1300 && text.length < 1300);
      const [one, other] = [compileFilter(source, articleScope), compileFilter(text, articleScope)];
      expect(one.shape).toBe(other.shape);
      expect(one.literals.map(({ kind, value }) => [kind, value])).toEqual(
        other.literals.map(({ kind, value }) => [kind, value]),
      );
    }),
    { numRuns: randomCases(500) },
  );
});

test('any JSON is a filter or an error with a place', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 4 }), (value) => {
      const source = JSON.stringify(value);
      fc.pre(source.length < 1300);
      try {
        compileFilter(source, articleScope);
      } catch (error) {
        expect(error).toBeInstanceOf(FilterObjectError);
      }
    }),
    { numRuns: randomCases(500) },
  );
});
