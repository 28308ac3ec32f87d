import type { JsonMember, RuleField, RuleScope } from './rule-scope.ts';

function scope(type: string, fields: Readonly<Record<string, RuleField>>): RuleScope {
  const byName = new Map(Object.entries(fields));
  return {
    type,
    table: `cms_${type}`,
    field: (name) => byName.get(name),
    fieldNames: [...byName.keys()],
  };
}

const scalar = (kind: Extract<RuleField, { shape: 'scalar' }>['kind'], column: string): RuleField => ({
  shape: 'scalar',
  kind,
  column,
});

/** What the items of a list are, whose values are the same as those of `meta`. */
const factMember = (name: string): JsonMember => {
  switch (name) {
    case 'x':
      return { member: 'scalar', kind: 'text' };
    case 'n':
      return { member: 'scalar', kind: 'float' };
    case 'flag':
      return { member: 'scalar', kind: 'boolean' };
    case 'y':
      return { member: 'json', items: { member: 'json', inner: factMember } };
    default:
      return { member: 'unusable', reason: 'there is no such field' };
  }
};
const facts: RuleField = { shape: 'json', column: '__meta', items: { member: 'json', inner: factMember } };

/** Tests: a content type with a field of every kind and shape, whose relations lead on to two others. */
export const articleScope: RuleScope = scope('article', {
  id: scalar('text', 'id'),
  title: scalar('text', 'title'),
  'sub-title': scalar('text', 'sub-title'),
  views: scalar('integer', 'views'),
  big: scalar('bigint', 'big'),
  rating: scalar('float', 'rating'),
  price: scalar('decimal', 'price'),
  published: scalar('boolean', 'published'),
  at: scalar('datetime', 'at'),
  day: scalar('date', 'day'),
  hour: scalar('time', 'hour'),
  meta: { shape: 'json', column: '__meta' },
  author: { shape: 'to_one', column: 'author', target: () => authorScope },
  tags: {
    shape: 'to_many',
    type: 'tag',
    table: 'cms_article_tags',
    column: 'source_id',
    target: () => tagScope,
    linkedBy: 'target_id',
  },
  secret: { shape: 'unusable', reason: 'a password is stored hashed.' },
  facts,
});

export const authorScope: RuleScope = scope('author', {
  id: scalar('text', 'id'),
  name: scalar('text', 'name'),
  age: scalar('integer', 'age'),
  meta: { shape: 'json', column: '__meta' },
  facts,
  team: { shape: 'to_one', column: 'team', target: () => teamScope },
  posts: { shape: 'to_many', type: 'article', table: 'cms_article', column: 'author', target: () => articleScope },
});

export const teamScope: RuleScope = scope('team', {
  id: scalar('text', 'id'),
  name: scalar('text', 'name'),
  active: scalar('boolean', 'active'),
  lead: { shape: 'to_one', column: 'lead', target: () => authorScope },
});

export const tagScope: RuleScope = scope('tag', {
  id: scalar('text', 'id'),
  name: scalar('text', 'name'),
  weight: scalar('integer', 'weight'),
  meta: { shape: 'json', column: '__meta' },
  owner: { shape: 'to_one', column: 'owner', target: () => authorScope },
});
