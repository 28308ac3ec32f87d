import type { FactorOwner } from '../../../auth/factors/change-factors.ts';
import type { RequestContext } from '../../../http/operation.ts';
import { languageOf } from '../../../http/request-language.ts';
import { accountCaller } from '../account-caller.ts';

/** The caller, whose own factors a request is about. */
export function factorOwner(context: RequestContext): FactorOwner {
  const { id, session } = accountCaller(context);
  return { id, session, by: context.caller, language: languageOf(context) };
}
