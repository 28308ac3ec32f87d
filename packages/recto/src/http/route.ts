import type { TSchema } from 'typebox';
import { callerScopes, isAuthenticated, publicCaller, type Role } from '../base/caller.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { forbidden, notFound, unauthorized } from '../base/problem.ts';
import type { OwnRoles } from '../definition/roles/role.ts';
import { CompiledSchema } from '../values/compiled-schema.ts';
import { isJsonBody } from './bodies/body-spec.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import { idempotencyKey } from './idempotency/idempotency-key.ts';
import type { Operation } from './operation.ts';
import { hasRight, isInScope, writtenRights } from './operation-right.ts';
import { QueryReader, rejectParameters } from './query-reader.ts';
import type { HttpRequestContext } from './request-context.ts';

/** An operation with what it declares made ready to be checked. */
export class Route {
  readonly operation: Operation;
  /** Null: there is no body, or the handler checks it. */
  readonly bodySchema: CompiledSchema | null;
  /** The name of the parameter that the path ends in; undefined where it ends otherwise. */
  readonly lastParameter: string | undefined;
  readonly #params: readonly (readonly [name: string, schema: CompiledSchema])[];
  readonly #readQuery: (context: HttpRequestContext) => void;

  constructor(operation: Operation) {
    this.operation = operation;
    this.lastParameter = /\/\{(\w+)\}$/.exec(operation.path)?.[1];
    this.bodySchema = schemaOfBody(operation);
    this.#params = Object.entries(operation.params ?? {})
      .filter(([, schema]) => !takesAnyText(schema))
      .map(([name, schema]) => [name, CompiledSchema.of(schema)]);
    this.#readQuery = queryReader(operation);
  }

  /**
   * Runs the operation for a caller who is known by now; throws a Problem for a request that is not as it must be. `handle`: what answers in
   * place of the operation's handler.
   */
  answer(
    context: HttpRequestContext,
    idempotency: Pick<Idempotency, 'answer'>,
    own: OwnRoles,
    handle?: () => MaybePromise<Response>,
  ): MaybePromise<Response> {
    this.#admit(context, own);
    const { stepUp } = this.operation;
    if (stepUp === undefined) return this.#checked(context, idempotency, own, handle);
    return context.requireStepUp(stepUp).then(() => this.#checked(context, idempotency, own, handle));
  }

  #checked(
    context: HttpRequestContext,
    idempotency: Pick<Idempotency, 'answer'>,
    own: OwnRoles,
    handle?: () => MaybePromise<Response>,
  ): MaybePromise<Response> {
    for (const [name, schema] of this.#params) {
      if (schema.faults(context.param(name)).length > 0) throw notFound();
    }
    this.#readQuery(context);
    if (handle !== undefined) return handle();
    const key = this.operation.once === true ? idempotencyKey(context.request.headers) : null;
    if (key === null) return this.operation.handle(context);
    const sent = { key, rights: writtenRights(context.caller, own) };
    return idempotency.answer(context, sent, () => this.operation.handle(context));
  }

  /** A role of the installation's own is admitted where it has the right, and nowhere else. */
  #isAdmitted(name: Role, roles: readonly Role[], own: OwnRoles): boolean {
    if (roles.includes(name)) return true;
    const { right } = this.operation;
    const role = own.find(name);
    return right !== undefined && role !== undefined && hasRight(role, right);
  }

  /** An API token with scopes has only those rights: where the operation is for everyone, it is everyone. */
  #narrow(context: HttpRequestContext): void {
    const { caller } = context;
    const scopes = callerScopes(caller);
    const { security, right, method, anyScope } = this.operation;
    if (scopes === undefined || anyScope === true) return;
    if (security !== 'bearer') context.caller = publicCaller(caller);
    else if (!isInScope(scopes, right, method))
      throw forbidden('insufficient_scope', 'The scopes of this API token do not reach this.');
  }

  #admit(context: HttpRequestContext, own: OwnRoles): void {
    this.#narrow(context);
    const { caller } = context;
    const { security, roles, installation } = this.operation;
    if (security !== 'bearer') return;
    if (!isAuthenticated(caller)) {
      throw unauthorized('authentication_required', 'Requires an access token: "Authorization: Bearer <token>".');
    }
    if (roles !== undefined && !this.#isAdmitted(caller.role, roles, own)) {
      throw forbidden('insufficient_role', `Requires the role ${roles.join(' or ')}.`);
    }
    if (installation === true && caller.tenant !== undefined) {
      throw forbidden(
        'other_tenant',
        'Requires an account or API token without a tenant: this changes what all tenants share.',
      );
    }
  }
}

function schemaOfBody({ id, body, once }: Operation): CompiledSchema | null {
  if (body === undefined) return null;
  if (isJsonBody(body)) return body.validation === 'schema' ? new CompiledSchema(body.schema) : null;
  // Two requests are distinguished by their complete bodies.
  if (once === true) throw new Error(`The operation ${id} takes an Idempotency-Key, and so it cannot take a stream.`);
  return null;
}

function queryReader({ query }: Operation): (context: HttpRequestContext) => void {
  if (query === undefined) {
    return ({ search }) => {
      if (search !== '') rejectParameters(search);
    };
  }
  if (query.validation === 'own') return () => {};
  const reader = new QueryReader(query.schema);
  return (context) => {
    context.query = reader.read(context.search);
  };
}

/** Whether a schema asks nothing of a path's parameter, which is text. */
const takesAnyText = (schema: TSchema): boolean =>
  Object.entries(schema).every(([name, value]) => name === 'description' || (name === 'type' && value === 'string'));
