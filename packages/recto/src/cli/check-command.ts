import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import { readSettings, type Settings, settingsFileName } from '../config/settings.ts';
import type { ContentType } from '../definition/content-type.ts';
import { type DefinitionFault, DefinitionFaults } from '../definition/definition-fault.ts';
import type { CompiledRole } from '../definition/roles/role.ts';
import { customPrefix } from '../features/hooks/custom-operations.ts';
import { ownTypes } from '../features/own-types.ts';
import { checkTypes } from '../hooks/check-types.ts';
import { CodeErrors } from '../hooks/code-errors.ts';
import { loadCode } from '../hooks/load-code.ts';
import type { LoadedCode } from '../hooks/loaded-code.ts';
import { typeAddress } from '../http/type-address.ts';
import { loadDefinitions } from '../service/definitions.ts';
import { loadServed } from '../service/served-types.ts';
import { typesText } from '../service/types-text.ts';

type Outcome =
  | {
      readonly kind: 'fine';
      readonly settings: Settings;
      readonly types: readonly ContentType[];
      readonly roles: readonly CompiledRole[];
      readonly code: LoadedCode;
    }
  | { readonly kind: 'refused'; readonly refusal: FatalError };

export interface CheckOptions {
  readonly json?: boolean;
  /** Leave out the types stored in a database. */
  readonly files?: boolean;
}

/** `recto check`: checks settings and definitions; starts nothing. Resolves with the exit code. */
export async function checkDefinitions(terminal: Terminal, options: CheckOptions): Promise<number> {
  const outcome = await look(terminal, options.files === true);
  if (options.json === true) terminal.out(`${JSON.stringify(asJson(outcome), null, 2)}\n`);
  else if (outcome.kind === 'fine') terminal.out(summary(outcome));
  else terminal.err(`${outcome.refusal.message}\n`);
  return outcome.kind === 'fine' ? exitCodes.done : exitCodes.refused;
}

async function look(terminal: Terminal, filesAlone: boolean): Promise<Outcome> {
  try {
    const settings = readSettings(terminal.environment, settingsFileName);
    const types = filesAlone ? await loadDefinitions(settings) : (await loadServed(settings)).types;
    const code = await loadCode(settings);
    if (!filesAlone) checkTypes(code, types);
    return { kind: 'fine', settings, types: ownTypes(types.all), roles: types.ownRoles.all, code };
  } catch (error) {
    if (error instanceof FatalError) return { kind: 'refused', refusal: error };
    throw error;
  }
}

function summary({ settings, types, roles, code }: Outcome & { readonly kind: 'fine' }): string {
  const lines = [`${typesText(settings, types)}${rolesText(roles)}${codeText(code)}, no errors.`];
  const width = (pick: (type: ContentType) => string) => Math.max(0, ...types.map((type) => pick(type).length));
  const [names, sources] = [width(({ name }) => name), width(({ source }) => source)];
  for (const type of types) {
    const { name, source, fields, kind } = type;
    const detail = `${typeAddress(type)} (${kind}, ${countOf(fields.length, 'field')})`;
    lines.push(`  ${name.padEnd(names)}  ${source.padEnd(sources)}  ${detail}`);
  }
  for (const { name, source, base } of roles)
    lines.push(`  ${name.padEnd(names)}  ${source.padEnd(sources)}  role, based on ${base}`);
  for (const { file, type, handlers } of code.hooks) lines.push(`  ${file}  ${phasesOf(handlers)} of ${type}`);
  for (const { file, options } of code.routes)
    lines.push(`  ${file}  ${options.method} ${customPrefix}${options.path}`);
  for (const { file, schedule } of code.jobs) lines.push(`  ${file}  ${schedule}`);
  return `${lines.join('\n')}\n`;
}

const rolesText = (roles: readonly CompiledRole[]): string =>
  roles.length === 0 ? '' : `, ${countOf(roles.length, 'role')}`;

/** `, 1 file of hooks, 2 routes`. */
const codeText = ({ hooks, routes, jobs }: LoadedCode): string =>
  [
    hooks.length === 0 ? '' : `, ${countOf(hooks.length, 'file')} of hooks`,
    routes.length === 0 ? '' : `, ${countOf(routes.length, 'route')}`,
    jobs.length === 0 ? '' : `, ${countOf(jobs.length, 'scheduled job')}`,
  ].join('');

const phasesOf = ({ check, write, after }: LoadedCode['hooks'][number]['handlers']): string =>
  Object.entries({ check, write, after })
    .flatMap(([name, handler]) => (handler === undefined ? [] : [name]))
    .join(', ');

/** The output of `recto check --json`. */
export type CheckResult =
  | {
      readonly ok: true;
      readonly types: readonly CheckedType[];
      /** The roles of the installation's own. */
      readonly roles: readonly { readonly name: string; readonly source: string }[];
      /** The files of hooks, routes and scheduled jobs. */
      readonly code: readonly string[];
    }
  | {
      readonly ok: false;
      readonly message: string;
      /** Absent when the definitions are not the problem. */
      readonly faults?: readonly DefinitionFault[];
    };

interface CheckedType extends Pick<ContentType, 'name' | 'singular' | 'plural' | 'kind' | 'source'> {
  readonly address: string;
  readonly fields: readonly string[];
  readonly protocols: readonly string[];
}

function asJson(outcome: Outcome): CheckResult {
  if (outcome.kind === 'fine') {
    const roles = outcome.roles.map(({ name, source }) => ({ name, source }));
    const { hooks, routes, jobs } = outcome.code;
    const code = [...hooks, ...routes, ...jobs].map(({ file }) => file);
    return { ok: true, types: outcome.types.map(checkedType), roles, code };
  }
  const { refusal } = outcome;
  return {
    ok: false,
    message: refusal.message,
    ...(refusal instanceof DefinitionFaults || refusal instanceof CodeErrors ? { faults: refusal.faults } : {}),
  };
}

function checkedType(type: ContentType): CheckedType {
  const { name, singular, plural, kind, source, fields, protocols } = type;
  return {
    name,
    singular,
    plural,
    kind,
    source,
    address: typeAddress(type),
    fields: fields.map((field) => field.name),
    protocols: protocols.map((active) => active.protocol.name),
  };
}
