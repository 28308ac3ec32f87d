import { fileURLToPath } from 'node:url';
import type { Mount } from '../mount.ts';
import { staticFiles } from '../static-files.ts';
import { pageHeaders } from './page-headers.ts';

/** Where `npm run build` puts the admin. */
const builtFolder = fileURLToPath(new URL('../../../../admin/dist', import.meta.url));

/** The admin's files at `/admin`, and its page for every path below that is none of them. */
export const adminMount = (folder: string = builtFolder): Mount =>
  staticFiles({
    prefix: '/admin',
    folder,
    immutable: '/assets/',
    fallback: 'index.html',
    headers: pageHeaders,
  });
