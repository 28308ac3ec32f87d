import type { Sent, TestService } from '../service.ts';

interface PictureCall extends Sent {
  readonly path: string;
}

type MakePictureCall = (
  world: { readonly service: TestService },
  operation: { readonly path: string },
) => Promise<PictureCall> | PictureCall;

/** One pixel. */
const image = {
  headers: { 'Content-Type': 'image/png' },
  body: new Uint8Array(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ),
};

/** How the operations on the pictures of accounts are called. */
export const pictureCalls: Readonly<Record<string, MakePictureCall>> = {
  setMyPicture: (_, { path }) => ({ path, as: 'ada', ...image }),
  deleteMyPicture: (_, { path }) => ({ path, as: 'ada' }),
  deleteUserPicture: ({ service }, { path }) => ({ path: path.replace('{id}', service.idOf('mia')), as: 'ada' }),
  listPictures: ({ service }, { path }) => ({ path: `${path}?ids=${service.idOf('ada')}`, as: 'ada' }),
  getUserPicture: async ({ service }) => {
    const { json } = await service.send('PUT /api/v1/auth/me/picture', { as: 'ada', ...image });
    return { path: json.picture };
  },
};
