import { join } from 'node:path';
import { findProgram, type Peer } from './peer.ts';

const { path = '', absent } = findProgram('raisfast', 'RECTO_BENCH_RAISFAST');

const definition = `[content_type]
name = "Article"
singular = "article"
plural = "articles"
table = "bench_articles"
implements = ["timestampable"]

[fields.title]
type = "text"
required = true

[fields.summary]
type = "text"

[fields.status]
type = "enum"
enum_values = ["draft", "published"]

[fields.reads]
type = "integer"

[fields.featured]
type = "boolean"

[api.list]
access = "public"
filter = 'status = "published"'

[api.get]
access = "public"
filter = 'status = "published"'

[api.create]
access = "public"
`;

/** Settings by the names of its README. Its responses are `{ code, data }`. */
export const raisfast: Peer = {
  name: 'RaisFast',
  absent,
  prepare: async (folder) => void (await Bun.write(join(folder, 'extensions/content_types/article.toml'), definition)),
  launch: (folder, port) => ({
    command: [path, 'server', 'start'],
    environment: {
      APP_HOST: '127.0.0.1',
      APP_PORT: String(port),
      APP_ENV: 'production',
      DATABASE_URL: `sqlite:${join(folder, 'raisfast.db')}?mode=rwc`,
      STORAGE_ROOT_DIR: join(folder, 'storage'),
      JWT_SECRET: 'a-secret-of-the-benchmark-0123456789abcdef',
    },
    folder,
  }),
  setUp: async () => undefined,
  readyPath: '/api/v1/healthz',
  createPath: '/api/v1/cms/articles',
  listPath: '/api/v1/cms/articles?page_size=20',
  readPath: (id) => `/api/v1/cms/articles/${id}`,
  // The body of a create, as its guide for developers describes it.
  idOf: (answer) => (answer as { readonly data: { readonly id: string } }).data.id,
};
