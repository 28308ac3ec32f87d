import { sql } from 'kysely';
import type { Query } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { Plan } from '../plans/plan.ts';
import { ValuePlaces } from '../plans/sql-parts.ts';
import type { ReadContext } from '../select/read-context.ts';

/** The statement that takes the notes on a record away together with it. */
export class NoteStatements {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  removeAll({ singular }: ContentType, id: string): Query {
    const build = () => {
      const places = new ValuePlaces();
      const statement = sql`delete from recto_notes where "type" = ${places.take()} and "record" = ${places.take()}`;
      return new Plan(statement, this.#context.database.dialect);
    };
    return this.#context.plans.query('notes|remove-all', build, [singular, id]);
  }
}
