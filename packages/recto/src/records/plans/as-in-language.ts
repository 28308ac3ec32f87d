import { type Expression, OperationNodeTransformer, type RawBuilder, sql, type ValueNode } from 'kysely';
import { type Bindings, Slot } from '../../base/bindings.ts';

/** A condition as it is for a request in this language, whatever language the request names. */
export function asInLanguage(condition: Expression<boolean>, tag: string): RawBuilder<boolean> {
  const node = new InLanguage(tag).transformNode(condition.toOperationNode());
  return sql<boolean>`${{ ...condition, toOperationNode: () => node }}`;
}

class InLanguage extends OperationNodeTransformer {
  readonly #tag: string;

  constructor(tag: string) {
    super();
    this.#tag = tag;
  }

  protected override transformValue(node: ValueNode): ValueNode {
    const { value } = node;
    if (!(value instanceof Slot)) return node;
    const language = this.#tag;
    const read = (bindings: Bindings) => {
      const { query, body, values } = bindings;
      return value.read({
        ...{ caller: { ...bindings.caller, language }, query, body, values },
        get now() {
          return bindings.now;
        },
      });
    };
    return { ...node, value: new Slot(read) };
  }
}
