import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../base/problem.ts';
import { adminFolder, program } from '../../base/program.ts';
import { staticFiles } from '../../http/files/static-files.ts';
import type { Mount } from '../../http/mount.ts';
import { page, pageHeaders } from './page.ts';

/** The admin's files at `/admin`, and its page for every path below that is none of them. */
export function adminMount(folder: string = adminFolder()): Mount {
  const files = staticFiles({
    prefix: '/admin',
    folder,
    embedded: program === 'executable',
    immutable: '/assets/',
    fallback: 'index.html',
    headers: pageHeaders,
    precompressed: true,
  });
  return {
    prefix: files.prefix,
    async handle(request) {
      try {
        return await files.handle(request);
      } catch (error) {
        const isMissing = error instanceof Problem && error.status === 404;
        if (!isMissing || existsSync(join(folder, 'index.html'))) throw error;
        return new Response(notBuilt, {
          status: 503,
          headers: { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' },
        });
      }
    },
  };
}

const notBuilt = page(
  'The admin is not built',
  '<p>Run <code>npm run build</code> in the checkout of Recto, and load this page again.</p>',
);
