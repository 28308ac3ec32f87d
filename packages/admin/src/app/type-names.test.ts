import { describe, expect, test } from 'bun:test';
import { pluralName } from './type-names.ts';

describe('what a list of a type is called', () => {
  test.each([
    ['Article', 'article', 'articles', 'Articles'],
    ['Landing page', 'landing', 'landings', 'Landing pages'],
    ['FAQ', 'faq', 'faqs', 'FAQs'],
    ['News story', 'story', 'stories', 'News stories'],
    ['Blog post', 'blog-post', 'blog-posts', 'Blog posts'],
    ['Person', 'person', 'people', 'People'],
    ['Media', 'media', 'media', 'Media'],
    ['Beitrag', 'beitrag', 'beitraege', 'Beitraege'],
    ['Страница', 'page', 'pages', 'Pages'],
  ])('%s (%s, %s) is called %s', (name, singular, plural, expected) => {
    expect(pluralName({ name, singular, plural, kind: 'collection' })).toBe(expected);
  });

  test('a single type is called by its name', () => {
    expect(pluralName({ name: 'Site settings', singular: 'site', plural: 'sites', kind: 'single' })).toBe(
      'Site settings',
    );
  });
});
