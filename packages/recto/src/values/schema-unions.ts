import type { TTypeError, TValidationError } from 'typebox/error';

/**
 * The validator's errors with each failed union (`anyOf`, `oneOf`) reduced to the relevant errors. A union reports the errors of
 * all its branches; for `integer or null` and the value 9 that is "must be at most 4", "must be null" and "must match a branch",
 * of which a caller should hear the first alone.
 */
export function withoutUnions(errors: readonly TValidationError[]): readonly TValidationError[] {
  // A union's own error comes after those of its branches, so an inner union is settled before the one around it.
  let settled: readonly TValidationError[] = errors;
  for (const error of errors) {
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') settled = settleUnion(error, settled);
  }
  return settled;
}

function settleUnion(union: TValidationError, errors: readonly TValidationError[]): readonly TValidationError[] {
  const prefix = `${union.schemaPath}/${union.keyword}/`;
  const branches = new Map<string, TValidationError[]>();
  const others: TValidationError[] = [];
  let place = 0;
  for (const error of errors) {
    if (error === union) {
      place = others.length;
    } else if (error.schemaPath.startsWith(prefix) && isWithin(error.instancePath, union.instancePath)) {
      const name = error.schemaPath.slice(prefix.length).split('/', 1).join();
      const branch = branches.get(name);
      if (branch === undefined) branches.set(name, [error]);
      else branch.push(error);
    } else {
      others.push(error);
    }
  }
  return others.toSpliced(place, 0, ...decisive(union, [...branches.values()]));
}

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

/** The errors of the one branch that the value's type points to; otherwise one error for the union. */
function decisive(union: TValidationError, branches: readonly (readonly TValidationError[])[]): TValidationError[] {
  const ofType = branches.filter((branch) => mismatch(branch, union) === undefined);
  const [only] = ofType;
  if (only !== undefined && ofType.length === 1) return [...only];
  if (only === undefined) return branches.length === 0 ? [union] : [sumOfTypes(union, branches)];
  const allowed = ofType.map((branch) => allowedValues(branch));
  return [allowed.every((values) => values !== undefined) ? sumOfValues(union, allowed.flat()) : union];
}

const mismatch = (branch: readonly TValidationError[], union: TValidationError): TTypeError | undefined =>
  branch.find((error) => error.keyword === 'type' && error.instancePath === union.instancePath) as
    | TTypeError // the keyword says that it is one
    | undefined;

function sumOfTypes(union: TValidationError, branches: readonly (readonly TValidationError[])[]): TValidationError {
  const types = new Set(branches.flatMap((branch) => mismatch(branch, union)?.params.type ?? []));
  const { schemaPath, instancePath } = union;
  return { keyword: 'type', schemaPath, instancePath, params: { type: [...types] } };
}

function allowedValues(branch: readonly TValidationError[]): readonly unknown[] | undefined {
  const [error] = branch;
  if (error?.keyword === 'const') return [error.params.allowedValue];
  if (error?.keyword === 'enum') return error.params.allowedValues;
  return undefined;
}

function sumOfValues({ schemaPath, instancePath }: TValidationError, allowed: readonly unknown[]): TValidationError {
  return { keyword: 'enum', schemaPath, instancePath, params: { allowedValues: [...new Set(allowed)] } };
}
