import { adminFolder, program } from '../../base/program.ts';
import type { Mount } from '../mount.ts';
import { staticFiles } from '../static-files.ts';
import { pageHeaders } from './page-headers.ts';

/** The admin's files at `/admin`, and its page for every path below that is none of them. */
export const adminMount = (folder: string = adminFolder()): Mount =>
  staticFiles({
    prefix: '/admin',
    folder,
    embedded: program === 'executable',
    immutable: '/assets/',
    fallback: 'index.html',
    headers: pageHeaders,
  });
