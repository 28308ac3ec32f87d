/** What a record of the model holds: JSON values by field, those that are not served at the moment included. */
export type Values = Record<string, unknown>;

interface ModelType {
  /** Whether a definition has it. */
  served: boolean;
  /** The names of the fields that are looked at and served. */
  readonly fields: Set<string>;
  records: Map<string, Values>;
}

/**
 * A model of all content in plain objects: what each schema change should make of it, computed without any database. It knows the
 * values by their JSON forms.
 */
export class World {
  readonly types = new Map<string, ModelType>();

  type(name: string): ModelType {
    const found = this.types.get(name);
    if (found === undefined) throw new Error(`The model has no type ${name}.`);
    return found;
  }

  addType(name: string, fields: readonly string[]): void {
    this.types.set(name, { served: true, fields: new Set(fields), records: new Map() });
  }

  renameType(from: string, to: string): void {
    this.types.set(to, this.type(from));
    this.types.delete(from);
  }

  addRecord(type: string, id: string, values: Values): void {
    this.type(type).records.set(id, values);
  }

  /** A field that all records get a value in. */
  addField(type: string, field: string, value: unknown): void {
    this.type(type).fields.add(field);
    this.each(type, (values) => {
      values[field] = value;
    });
  }

  renameField(type: string, from: string, to: string): void {
    this.type(type).fields.delete(from);
    this.type(type).fields.add(to);
    this.each(type, (values) => {
      values[to] = values[from];
      delete values[from];
    });
  }

  /** Every value that is there becomes another. */
  convert(type: string, field: string, to: (value: never) => unknown): void {
    this.each(type, (values) => {
      const value = values[field];
      // True because each caller knows its field.
      if (value !== null && value !== undefined) values[field] = to(value as never);
    });
  }

  hideField(type: string, field: string): void {
    this.type(type).fields.delete(field);
  }

  showField(type: string, field: string): void {
    this.type(type).fields.add(field);
  }

  dropField(type: string, field: string): void {
    this.hideField(type, field);
    this.each(type, (values) => {
      delete values[field];
    });
  }

  each(type: string, change: (values: Values) => void): void {
    for (const values of this.type(type).records.values()) change(values);
  }

  /** The values that every served type's records should have, by id. */
  served(): Readonly<Record<string, Readonly<Record<string, Values>>>> {
    const types = [...this.types].filter(([, type]) => type.served);
    return Object.fromEntries(
      types.map(([name, { fields, records }]) => [
        name,
        Object.fromEntries(
          [...records].map(([id, values]) => [
            id,
            Object.fromEntries([...fields].map((field) => [field, values[field] ?? null])),
          ]),
        ),
      ]),
    );
  }
}
