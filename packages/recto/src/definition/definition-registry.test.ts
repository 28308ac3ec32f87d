import { expect, test } from 'bun:test';
import Type from 'typebox';
import { checkDefinitions } from './check-definitions.ts';
import { definitionRegistry } from './definition-registry.ts';
import { defineFieldType } from './field-type.ts';
import { textField } from './fields/text-field.ts';
import { defineProtocol } from './protocol.ts';
import { protocolField } from './protocols/protocol-field.ts';
import { timestampable } from './protocols/timestampable.ts';
import { standardRegistry } from './standard-registry.ts';

const colorField = defineFieldType({
  name: 'color',
  kind: 'text',
  options: ['pattern'],
  input: () => Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  slugSource: true,
});
const stampable = defineProtocol({ name: 'stampable', fields: () => [protocolField('stamp', textField)] });

const registry = definitionRegistry({
  fieldTypes: [...standardRegistry.fieldTypes.values(), colorField],
  protocols: [stampable, timestampable],
});

const car = (parts: object) => ({
  file: 'car.json',
  definition: { singular: 'car', plural: 'cars', ...parts },
});

test('field types and protocols of a registry are for definitions to name', () => {
  const fields = [
    { name: 'paint', field_type: 'color' },
    { name: 'slug', field_type: 'uid', target_field: 'paint' },
  ];
  const { types } = checkDefinitions([car({ protocols: ['stampable'], fields })], { registry });
  const type = types?.get('car');
  expect(type?.fields.map(({ name, type: { name: of } }) => [name, of])).toEqual([
    ['id', 'id'],
    ['paint', 'color'],
    ['slug', 'uid'],
    ['stamp', 'text'],
  ]);
});

test('what another registry has is not there, and errors list what is', () => {
  const odd = car({ protocols: ['ownable'], fields: [{ name: 'paint', field_type: 'colour' }, { name: 'x' }] });
  const { faults = [] } = checkDefinitions([odd], { registry });
  expect(faults.map(({ path, remedy }) => ({ path, remedy }))).toEqual([
    { path: 'fields[0].field_type', remedy: 'did you mean "color"?' },
    {
      path: 'fields[1].field_type',
      remedy: expect.stringMatching(/^say what it holds: text, .*, relation, .*, color$/),
    },
    { path: 'protocols[0]', remedy: 'there are: stampable, timestampable' },
  ]);
  const standard = checkDefinitions([car({ protocols: ['stampable'], fields: [{ name: 'x', field_type: 'color' }] })]);
  expect(standard.faults?.map(({ path }) => path)).toEqual(['fields[0].field_type', 'protocols[0]']);
});

test('two of one name are no registry', () => {
  const twice = () => definitionRegistry({ fieldTypes: [colorField, colorField], protocols: [] });
  expect(twice).toThrow('the name "color"');
});
