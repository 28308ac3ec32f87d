import { route, Type } from 'recto';

export default route({
  method: 'GET',
  path: '/authors/{id}/latest',
  access: 'public',
  query: Type.Object({ count: Type.Integer({ minimum: 1, maximum: 10, default: 3 }) }),
  handler: async ({ params, query, db }) =>
    (await db.articles.list({ author: params.id, page_size: query.count })).items,
});
