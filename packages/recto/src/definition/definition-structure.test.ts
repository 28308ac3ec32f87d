import { describe } from 'bun:test';
import { article, type FaultCase, testFaults } from './definition-faults.fixture.ts';

const inShape: readonly FaultCase[] = [
  { of: [null], path: '', message: /must be an object, not null/, remedy: /write a value of that type/ },
  { of: [[]], path: '', message: /must be an object, not a list/, remedy: /of that type/ },
  { of: [{ plural: 'articles' }], path: 'singular', message: /singular is missing/, remedy: /singular = "article"/ },
  { of: [{ singular: 'article' }], path: 'plural', message: /plural is missing/, remedy: /plural = "articles"/ },
  { of: [article({ plural: 'article' })], path: 'plural', message: /also the singular/, remedy: /differently/ },
  {
    of: [article({ singular: 'Blog Post' })],
    path: 'singular',
    message: /"Blog Post" is no singular/,
    remedy: /"blog_post"/,
  },
  { of: [article({ plural: 'x'.repeat(51) })], path: 'plural', message: /at most 50 characters/, remedy: /bound/ },
  { of: [article({ name: '' })], path: 'name', message: /name is empty/, remedy: /add name/ },
  { of: [article({ kind: 'collectoin' })], path: 'kind', message: /"collectoin" is no kind/, remedy: /"collection"/ },
  {
    of: [article({ fields: [{ name: 'title', field_type: { toString: null } }] })],
    path: 'fields[0].field_type',
    message: /is no field type/,
    remedy: /text/,
  },
  { of: [article({ feilds: [] })], path: 'feilds', message: /unknown name "feilds"/, remedy: /did you mean "fields"/ },
  {
    of: [article({ 'odd key': 1 })],
    path: '["odd key"]',
    message: /unknown name "odd key"/,
    remedy: /known here: name, singular/,
  },
  { of: [article({ fields: {} })], path: 'fields', message: /must be an array, not a table/, remedy: /of that type/ },
  {
    of: [article({ fields: ['title'] })],
    path: 'fields[0]',
    message: /must be an object, not "title"/,
    remedy: /of that type/,
  },
  {
    of: [article({ api_restful: 'false' })],
    path: 'api_restful',
    message: /must be true or false, not "false"/,
    remedy: /without quotes/,
  },
  { of: [article({ description: () => 'x' })], path: 'description', message: /is a function/, remedy: /write text/ },
  { of: [article({ api: { lst: {} } })], path: 'api.lst', message: /unknown name "lst"/, remedy: /"list"/ },
  {
    of: [article({ api: { list: { acces: 'public' } } })],
    path: 'api.list.acces',
    message: /unknown name "acces"/,
    remedy: /"access"/,
  },
  {
    of: [article({ api: { list: { access: 'members' } } })],
    path: 'api.list.access',
    message: /"members" is no access/,
    remedy: /"member"/,
  },
  {
    of: [article({ api: { list: { cache: 1 } } })],
    path: 'api.list.cache',
    message: /must be true or false, not 1/,
    remedy: /of that type/,
  },
];

describe('errors of shape', () => testFaults(inShape));
