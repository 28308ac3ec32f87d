import { Problem } from '../../base/problem.ts';
import type { Mount } from '../mount.ts';
import { staticFiles } from './static-files.ts';

/** The files of a deployment's own site, at every path that nothing else answers. The paths of the API stay its own. */
export function publicFiles(folder: string): Mount {
  const files = staticFiles({ prefix: '', folder, precompressed: true });
  return {
    prefix: '',
    handle(request) {
      const { method } = request.request;
      const isFree = (method === 'GET' || method === 'HEAD') && !/^\/api(?:\/|$)/i.test(request.path);
      if (!isFree) throw new Problem(404, 'route_not_found', 'There is nothing at this path.');
      return files.handle(request);
    },
  };
}
