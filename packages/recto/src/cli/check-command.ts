import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import { readSettings, type Settings, settingsFileName } from '../config/settings.ts';
import type { ContentType } from '../definition/content-type.ts';
import { type DefinitionFault, DefinitionFaults } from '../definition/definition-fault.ts';
import { ownTypes } from '../features/own-types.ts';
import { typeAddress } from '../http/type-address.ts';
import { loadDefinitions } from '../service/definitions.ts';
import { loadServed } from '../service/served-types.ts';
import { typesText } from '../service/types-text.ts';

type Outcome =
  | { readonly kind: 'fine'; readonly settings: Settings; readonly types: readonly ContentType[] }
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
  else if (outcome.kind === 'fine') terminal.out(summary(outcome.settings, outcome.types));
  else terminal.err(`${outcome.refusal.message}\n`);
  return outcome.kind === 'fine' ? exitCodes.done : exitCodes.refused;
}

async function look(terminal: Terminal, filesAlone: boolean): Promise<Outcome> {
  try {
    const settings = readSettings(terminal.environment, settingsFileName);
    const { all } = filesAlone ? await loadDefinitions(settings) : (await loadServed(settings)).types;
    return { kind: 'fine', settings, types: ownTypes(all) };
  } catch (error) {
    if (error instanceof FatalError) return { kind: 'refused', refusal: error };
    throw error;
  }
}

function summary(settings: Settings, types: readonly ContentType[]): string {
  const lines = [`${typesText(settings, types)}, no errors.`];
  const width = (pick: (type: ContentType) => string) => Math.max(0, ...types.map((type) => pick(type).length));
  const [names, sources] = [width(({ name }) => name), width(({ source }) => source)];
  for (const type of types) {
    const { name, source, fields, kind } = type;
    const detail = `${typeAddress(type)} (${kind}, ${countOf(fields.length, 'field')})`;
    lines.push(`  ${name.padEnd(names)}  ${source.padEnd(sources)}  ${detail}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The output of `recto check --json`. */
export type CheckResult =
  | { readonly ok: true; readonly types: readonly CheckedType[] }
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
  if (outcome.kind === 'fine') return { ok: true, types: outcome.types.map(checkedType) };
  const { refusal } = outcome;
  return {
    ok: false,
    message: refusal.message,
    ...(refusal instanceof DefinitionFaults ? { faults: refusal.faults } : {}),
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
