import type { TestService } from '../service.ts';

interface World {
  readonly service: TestService;
}

interface PreviewCall {
  readonly path: string;
  readonly as: 'ada';
  readonly body?: object;
}

type MakePreviewCall = (world: World, operation: { readonly path: string }) => Promise<PreviewCall> | PreviewCall;

let count = 0;

async function made({ service }: World, line: string, body?: object) {
  const reply = await service.send(line, { as: 'ada', ...(body === undefined ? {} : { body }) });
  if (reply.status >= 300) throw new Error(`${line} failed: ${reply.text}`);
  return reply.json;
}

const category = async (world: World): Promise<string> =>
  (await made(world, 'POST /api/v1/admin/cms/categories', { name: `p${++count}` })).id;

/** How the operations on previews are called. */
export const previewCalls: Readonly<Record<string, MakePreviewCall>> = {
  createPreview: async (world, { path }) => ({
    ...{ path, as: 'ada' },
    body: { type: 'category', id: await category(world) },
  }),
  listPreviewLinks: (_, { path }) => ({ path, as: 'ada' }),
  deletePreviewLink: async (world, { path }) => {
    const asked = { type: 'category', id: await category(world), share: true, label: 'For Bo', seconds: 60 };
    await made(world, 'POST /api/v1/admin/preview', asked);
    const { items } = await made(world, 'GET /api/v1/admin/preview-links');
    return { path: path.replace('{id}', items[0].id), as: 'ada' };
  },
};
