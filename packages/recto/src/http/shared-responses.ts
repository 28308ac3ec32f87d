import Type, { type TSchema } from 'typebox';

/** The body of a 202 that says nothing about what follows. */
export const acceptedSchema = Type.Object({}, { additionalProperties: false });

/** A schema of one page of a list. */
export const pageSchema = <T extends TSchema>(id: string, item: T) =>
  Type.Object(
    {
      items: Type.Array(item),
      total: Type.Integer({ minimum: 0 }),
      page: Type.Integer({ minimum: 1 }),
      page_size: Type.Integer({ minimum: 1, description: 'The size used, which may be less than requested.' }),
    },
    { $id: id, additionalProperties: false },
  );

/** Of a read whose caller sent the entity tag of what it has. */
export const unchanged = { description: 'The client has the current answer already (`If-None-Match`).' };

/** The responses of a read, as `jsonRead` answers it. */
export const readResponses = <T extends TSchema>(description: string, schema: T) => ({
  200: { description, schema, headers: { ETag: { description: 'Entity tag of the answer.' } } },
  304: unchanged,
});

export const locationHeader = { Location: { description: 'The path of the new resource.' } };

export const noContent = (headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status: 204, headers });
