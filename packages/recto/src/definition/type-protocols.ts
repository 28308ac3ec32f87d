import { CompiledSchema } from '../values/compiled-schema.ts';
import { isTable } from '../values/json-table.ts';
import type { JsonValue } from '../values/value-kind.ts';
import type { DefinitionRegistry } from './definition-registry.ts';
import { closest } from './definition-structure.ts';
import type { ActiveProtocol, Protocol, ProtocolOptions } from './protocol.ts';
import { known, type TypeDraft } from './type-draft.ts';

/** The protocols that a definition names, with their options checked. */
export function activeProtocols(
  { written, kind, report }: TypeDraft,
  { protocols }: DefinitionRegistry,
): readonly ActiveProtocol[] {
  const active = new Map<string, ActiveProtocol>();
  for (const [index, entry] of (written.protocols ?? []).entries()) {
    if (entry === undefined) continue;
    const path = `protocols[${index}]`;
    const { name, ...given } = typeof entry === 'string' ? { name: entry } : entry;
    const protocol = protocols.get(name);
    if (protocol === undefined) {
      report(path, `there is no protocol "${name}"`, closest(name, [...protocols.keys()], 'there are'));
    } else if (active.has(name)) {
      report(path, `the protocol ${name} is named twice`, 'name it once');
    } else if (protocol.kind !== undefined && protocol.kind !== kind) {
      report(path, `the protocol ${name} is for a type that is a ${protocol.kind}`, 'leave it out');
    } else {
      // True because a definition is plain JSON by now.
      const options = spread(given as ProtocolOptions);
      const faults = optionFaults(protocol, options);
      for (const [option, message, remedy] of faults) report(`${path}.${option}`, message, remedy);
      const faulty = new Set(faults.map(([option]) => /^[^.[]*/.exec(option)?.[0]));
      const sound = Object.fromEntries(Object.entries(options).filter(([option]) => !faulty.has(option)));
      active.set(name, Object.freeze({ protocol, options: Object.freeze(sound) }));
    }
  }
  return [...active.values()];
}

/** Options stand beside the name, or in a table `options` of their own. */
function spread({ options: nested, ...beside }: ProtocolOptions): ProtocolOptions {
  const inner: JsonValue | undefined = nested;
  if (inner === undefined) return beside;
  return isTable(inner) ? { ...inner, ...beside } : { options: inner, ...beside };
}

const schemas = new Map<Protocol, CompiledSchema>();

function optionFaults(protocol: Protocol, options: ProtocolOptions): readonly [string, string, string][] {
  const names = Object.keys(options);
  if (names.length === 0 && protocol.options === undefined) return [];
  if (protocol.options === undefined) {
    return names.map((name) => [name, `the protocol ${protocol.name} takes no options`, 'leave it out']);
  }
  const schema = schemas.get(protocol) ?? new CompiledSchema(protocol.options);
  schemas.set(protocol, schema);
  const faults = schema.faults(options);
  if (faults.length > 0) {
    return faults.map(({ field, code, message }) =>
      code === 'unknown_field'
        ? [field, `the protocol ${protocol.name} has no such option`, `it has: ${known(optionNames(protocol))}`]
        : [field, message.replace(/\.$/, '').toLowerCase(), 'write a value of that kind'],
    );
  }
  const beyond = protocol.checkOptions?.(options) ?? [];
  return beyond.map(({ option, message }) => [option, message, 'write a value of that kind']);
}

function optionNames({ options }: Protocol): readonly string[] {
  if (options === undefined || !('properties' in options)) return [];
  return Object.keys(Object(options.properties));
}
