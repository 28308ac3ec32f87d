import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from './peer.ts';

const packed = join(import.meta.dir, '../../packages/recto/dist/main.js');
const source = join(import.meta.dir, '../../packages/recto/src/cli/main.ts');
const program = existsSync(packed) ? packed : source;

const definition = {
  ...{ name: 'Article', singular: 'article', plural: 'articles', protocols: ['timestampable'] },
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'summary', field_type: 'text' },
    { name: 'status', field_type: 'enum', enum_values: ['draft', 'published'] },
    { name: 'reads', field_type: 'integer' },
    { name: 'featured', field_type: 'boolean' },
  ],
  api: {
    list: { filter: 'status = "published"' },
    get: { filter: 'status = "published"' },
    create: { access: 'public' },
  },
};

/** This checkout: what was built last (`npm run build`), else its source. */
export const recto: Peer = {
  name: program === packed ? 'Recto' : 'Recto (source)',
  absent: undefined,
  prepare: async (folder) =>
    void (await Bun.write(join(folder, 'content-types/article.json'), JSON.stringify(definition))),
  launch: (folder, port) => ({
    command: [process.execPath, program, 'start', '--workers', '1'],
    environment: {
      RECTO_PORT: String(port),
      RECTO_LOG_LEVEL: 'warn',
      RECTO_RATE_LIMIT: 'off',
      RECTO_ADMIN_EMAIL: 'bench@example.com',
      RECTO_ADMIN_PASSWORD: 'a bench password',
    },
    folder,
  }),
  setUp: async () => undefined,
  readyPath: '/api/v1/readyz',
  createPath: '/api/v1/cms/articles',
  listPath: '/api/v1/cms/articles?page_size=20',
  readPath: (id) => `/api/v1/cms/articles/${id}`,
  // The body of a 201, as the OpenAPI document describes it.
  idOf: (answer) => (answer as { readonly id: string }).id,
};
