import type { FieldName, RecordOf, View } from './content.ts';
import type { Filter } from './filter.ts';
import type { CallOptions, QueryValue } from './transport.ts';

type Unit = 'year' | 'month' | 'week' | 'day' | 'hour';

/** A field of the records, without the undefined that a response of another route may have. */
type Value<C, N extends keyof C, V extends View, F> = F extends keyof RecordOf<C, N, V>
  ? Exclude<RecordOf<C, N, V>[F], undefined>
  : never;

/** The fields whose values are `Type` or null. */
type NamesOfType<C, N extends keyof C, V extends View, Type> = {
  [F in FieldName<C, N, V>]: [Exclude<Value<C, N, V, F>, null>] extends [Type] ? F : never;
}[FieldName<C, N, V>];

/** What numbers are in a response: exact ones are texts, and so are other texts, which the service refuses. */
type NumberName<C, N extends keyof C, V extends View> = NamesOfType<C, N, V, number | string>;

/** A field, or a unit of a time: `status`, `created_at:month`, `created_at:month@Europe/Lisbon`. */
export type AggregateKey<C, N extends keyof C, V extends View> =
  | FieldName<C, N, V>
  | `${NamesOfType<C, N, V, string>}:${Unit}${'' | `@${string}`}`;

/** One, or several. */
type Some<Name> = Name | readonly Name[];

/** What an aggregate takes of the URL, typed by the content. */
export interface AggregateOptions<
  C,
  N extends keyof C,
  V extends View,
  Group extends string = AggregateKey<C, N, V>,
  Sum extends string = NumberName<C, N, V>,
  Avg extends string = NumberName<C, N, V>,
  Min extends string = NumberName<C, N, V>,
  Max extends string = NumberName<C, N, V>,
  Count extends boolean = boolean,
> extends CallOptions {
  /** What the records are grouped by. Without it, all of them are one group. */
  readonly group?: Some<Group>;
  /** Default: true if nothing else is computed. */
  readonly count?: Count;
  readonly sum?: Some<Sum>;
  readonly avg?: Some<Avg>;
  readonly min?: Some<Min>;
  readonly max?: Some<Max>;
  /** The order of the groups; default: by the keys. */
  readonly sort?: Some<`${'count' | NoInfer<Group> | `sum.${NoInfer<Sum>}` | `avg.${NoInfer<Avg>}` | `min.${NoInfer<Min>}` | `max.${NoInfer<Max>}`}:${'asc' | 'desc'}`>;
  readonly filter?: string | Filter<C, N, V>;
  readonly search?: string;
  /** Other parameters, as the route has them. */
  readonly query?: Readonly<Record<string, QueryValue>>;
}

/** The value of a key: of a relation the id, of a unit its text such as `2026-11`. */
type KeyValue<C, N extends keyof C, V extends View, Key> = Key extends keyof RecordOf<C, N, V>
  ? unknown extends Value<C, N, V, Key>
    ? Value<C, N, V, Key>
    : [Extract<Value<C, N, V, Key>, object>] extends [never]
      ? Value<C, N, V, Key>
      : string | null
  : string | null;

/** The results of one function, by field. Null where no record has a value. */
type Computed<C, N extends keyof C, V extends View, Name extends string, F extends string> = [F] extends [never]
  ? unknown
  : { [Function in Name]: { [Field in F]: Value<C, N, V, Field> | null } };

type Counted<Count extends boolean, Others> = boolean extends Count
  ? [Others] extends [never]
    ? { count: number }
    : unknown
  : Count extends true
    ? { count: number }
    : unknown;

/** The groups of an aggregate, each with its keys and what was computed. */
export interface Aggregate<
  C,
  N extends keyof C,
  V extends View,
  Group extends string = never,
  Sum extends string = never,
  Avg extends string = never,
  Min extends string = never,
  Max extends string = never,
  Count extends boolean = boolean,
> {
  items: ({ [Key in Group]: KeyValue<C, N, V, Key> } & Counted<Count, Sum | Avg | Min | Max> &
    Computed<C, N, V, 'sum', Sum> &
    Computed<C, N, V, 'avg', Avg> &
    Computed<C, N, V, 'min', Min> &
    Computed<C, N, V, 'max', Max>)[];
  /** There are more groups than were returned. */
  truncated: boolean;
}

/** Counts, adds up and groups the records of a list. */
export type AggregateCall<C, N extends keyof C, V extends View> = <
  const Group extends AggregateKey<C, N, V> = never,
  const Sum extends NumberName<C, N, V> = never,
  const Avg extends NumberName<C, N, V> = never,
  const Min extends NumberName<C, N, V> = never,
  const Max extends NumberName<C, N, V> = never,
  Count extends boolean = boolean,
>(
  options: AggregateOptions<C, N, V, Group, Sum, Avg, Min, Max, Count>,
) => Promise<Aggregate<C, N, V, Group, Sum, Avg, Min, Max, Count>>;
