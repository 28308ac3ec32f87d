import { countOf } from '../../base/count-of.ts';
import { FatalError } from '../../base/fatal-error.ts';
import type { Settings } from '../../config/settings.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { checkTypes } from '../../hooks/check-types.ts';
import { loadCode } from '../../hooks/load-code.ts';
import { type Finding, fail, ok } from '../finding.ts';

/** The hooks, routes and jobs of the deployment: whether they can be loaded. `types` is undefined where those have errors. */
export async function codeFinding(settings: Settings, types: ContentTypes | undefined): Promise<Finding> {
  const check = 'hooks';
  try {
    const code = await loadCode(settings);
    if (types !== undefined) checkTypes(code, types);
    const count = code.hooks.length + code.routes.length + code.jobs.length;
    return ok(check, count === 0 ? 'none' : `${countOf(count, 'file')}, no errors`);
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    return fail(check, error.message, 'docs/hooks.md describes what a file exports.');
  }
}
