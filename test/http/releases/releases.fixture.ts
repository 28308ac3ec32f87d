import { expect } from 'bun:test';
import { type Reply, type ServiceOptions, TestService } from '../../support/service.ts';

export const releasesRoot = '/api/v1/admin/releases';

export const article = {
  singular: 'article',
  plural: 'articles',
  protocols: [
    'timestampable',
    'ownable',
    'lockable',
    { name: 'versionable', drafts: true },
    { name: 'statusable', values: ['draft', 'published', 'archived'], default: 'draft', schedule: 'published' },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true, max_length: 40 },
    { name: 'slug', field_type: 'uid', target_field: 'title' },
    { name: 'summary', field_type: 'text' },
    { name: 'views', field_type: 'bigint' },
    { name: 'price', field_type: 'decimal' },
    { name: 'note', field_type: 'text', private: true },
    { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
    { name: 'topics', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'topics' } },
    {
      ...{ name: 'body', field_type: 'blocks' },
      blocks: [
        {
          name: 'text',
          fields: [
            { name: 'words', field_type: 'text' },
            { name: 'by', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
          ],
        },
      ],
    },
  ],
  api: {
    list: { access: 'public', filter: 'status = "published"' },
    get: { access: 'public', filter: 'status = "published"' },
  },
};
export const author = {
  singular: 'author',
  plural: 'authors',
  protocols: ['timestampable'],
  fields: [
    { name: 'name', field_type: 'text', required: true },
    { name: 'handle', field_type: 'text', unique: true },
  ],
  api: { list: { access: 'public' }, get: { access: 'public' } },
};
export const topic = {
  singular: 'topic',
  plural: 'topics',
  protocols: ['soft_deletable'],
  fields: [{ name: 'name', field_type: 'text' }],
  api: { list: { access: 'public' }, get: { access: 'public' } },
};

/** A service with articles, and how tests make releases in it. */
export class ReleasesWorld implements AsyncDisposable {
  readonly service: TestService;

  static async open(options: ServiceOptions = {}, more: readonly unknown[] = []): Promise<ReleasesWorld> {
    const service = await TestService.open([article, author, topic, ...more], options);
    await service.account('ada', 'admin');
    await service.account('eve', 'editor');
    return new ReleasesWorld(service);
  }

  private constructor(service: TestService) {
    this.service = service;
  }

  send(line: string, body?: object, as = 'eve'): Promise<Reply> {
    return this.service.send(line, { as, ...(body === undefined ? {} : { body }) });
  }

  /** The JSON of an answer with this status. */
  async must(status: number, line: string, body?: object, as = 'eve'): Promise<Reply['json']> {
    const reply = await this.send(line, body, as);
    expect([line, reply.status, reply.status === status ? undefined : reply.json]).toEqual([line, status, undefined]);
    return reply.json;
  }

  make(plural: string, body: object): Promise<Reply['json']> {
    return this.must(201, `POST /api/v1/admin/cms/${plural}`, body);
  }

  /** A published article. */
  async article(values: object = {}): Promise<Reply['json']> {
    return this.make('articles', { title: 'One', status: 'published', ...values });
  }

  async record(plural: string, id: string): Promise<Reply['json']> {
    return (await this.send(`GET /api/v1/admin/cms/${plural}/${id}`)).json;
  }

  async release(name = 'Spring', as = 'eve'): Promise<string> {
    return (await this.must(201, `POST ${releasesRoot}`, { name }, as)).id;
  }

  put(release: string, type: string, record: string, body: object, as = 'eve'): Promise<Reply['json']> {
    return this.must(200, `PUT ${releasesRoot}/${release}/items/${type}/${record}`, body, as);
  }

  add(release: string, type: string, values: object, as = 'eve'): Promise<Reply['json']> {
    return this.must(201, `POST ${releasesRoot}/${release}/items/${type}`, values, as);
  }

  async check(release: string, as = 'eve'): Promise<Reply['json']> {
    return this.must(200, `GET ${releasesRoot}/${release}/check`, undefined, as);
  }

  publish(release: string, as = 'eve'): Promise<Reply> {
    return this.send(`POST ${releasesRoot}/${release}/publish`, undefined, as);
  }

  /** What speaks against a release, without the words. */
  async problems(release: string, as = 'eve'): Promise<readonly (readonly unknown[])[]> {
    const { problems } = await this.check(release, as);
    return problems.map(({ type, record, field, code }: Record<string, unknown>) => [type, record, field, code]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.service[Symbol.asyncDispose]();
  }
}
