import Type, { type Static, type TObject } from 'typebox';
import type { AccountInput } from '../auth/account-input.ts';
import { type FieldFault, invalid } from '../base/problem.ts';
import { profileNames } from '../definition/profile/profile-fields.ts';
import { CompiledSchema } from '../values/compiled-schema.ts';
import type { Operation, RequestContext } from './operation.ts';

type JsonMembers = Readonly<Record<string, unknown>>;

/** A JSON body that takes nothing but what it names, and is checked by its handler, together with what no schema can express. */
export class CheckedBody<Properties extends Type.TProperties> {
  /** As the document has it. */
  readonly declaration: NonNullable<Operation['body']>;
  readonly #compiled: CompiledSchema;

  /** `documented`: how the document describes members more closely than the schema checks them, because the handler has better words for what is wrong. */
  constructor(properties: Properties, documented: Type.TProperties = {}) {
    const strict = { additionalProperties: false };
    this.declaration = { schema: Type.Object({ ...properties, ...documented }, strict), validation: 'own' };
    this.#compiled = new CompiledSchema(Type.Object(properties, strict));
  }

  /**
   * The body. When the schema does not accept it, `others` returns what else is wrong with the members that the schema
   * accepts, as parts of an account or as they are, and all errors are thrown at once (422), one a field. When it does, the
   * operation itself reports those.
   */
  async read(
    context: RequestContext,
    others: (
      input: AccountInput,
      sound: JsonMembers,
    ) => readonly FieldFault[] | Promise<readonly FieldFault[]> = () => [],
  ): Promise<Static<TObject<Properties>>> {
    const body = await context.body();
    const faults = this.#compiled.faults(body);
    // The schema has accepted it, so it is of the schema's type.
    if (faults.length === 0) return body as Static<TObject<Properties>>;
    const reported = new Set(faults.map(({ field }) => field));
    const sound = Object.fromEntries(Object.entries(body).filter(([name]) => !reported.has(name)));
    const more = await others(readable(sound), sound);
    throw invalid([...faults, ...more.filter(({ field }) => !reported.has(field))]);
  }
}

/** What of a body can be judged as part of an account although the body is not as it must be. */
function readable(sound: JsonMembers): AccountInput {
  const text = (name: string): string | undefined => {
    const value = sound[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    ...{ email: text('email'), username: text('username'), password: text('password'), tenant_id: text('tenant_id') },
    ...Object.fromEntries(profileNames.map((name) => [name, text(name)])),
  };
}
