import type { Caller } from '../../base/caller.ts';
import { type FieldFault, Problem } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { perType } from '../../definition/per-type.ts';
import type { RecordAction } from '../../definition/protocol.ts';
import { publishedStateOf } from '../../definition/published-state.ts';
import { noVisibilityParams, type VisibilityParams } from '../../query/read-view.ts';
import { draftsOf } from '../drafts/draft.ts';
import type { Records } from '../records.ts';
import type { PreparedWrite } from '../write/prepared-write.ts';

/** The request of an editor or admin to apply an action to several records. */
export interface BatchRequest {
  readonly type: ContentType;
  readonly caller: Caller;
  /** The fields that `update` sets. */
  readonly set: Readonly<Record<string, unknown>>;
}

/** An action that is prepared for any record. */
export interface PreparedAction {
  /** What is wrong with the request, whatever the record. */
  readonly faults: readonly FieldFault[];
  write(id: string): PreparedWrite<unknown>;
}

/** What can be done to several records at once: for each of them, the same as by its own route. */
export interface BatchAction {
  readonly takesSet: boolean;
  /** Whether it is about the record as a whole, whatever language is named. */
  readonly isWhole?: true;
  /** The records it is for, of those that protocols hide; empty: those that admins see. */
  readonly among: VisibilityParams;
  prepare(records: Records, request: BatchRequest): Promise<PreparedAction>;
}

export type BatchActions = ReadonlyMap<string, BatchAction>;

const noFaults: readonly FieldFault[] = [];
const asEditor = { admin: true, search: '', ifMatch: null } as const;

/** Sets the fields of the request. */
const updateAction: BatchAction = {
  takesSet: true,
  among: noVisibilityParams,
  prepare: (records, { type, caller, set }) => records.prepareUpdates({ ...asEditor, type, caller, payload: set }),
};

/** Sets a state, the same always. */
export const stateAction = (payload: Readonly<Record<string, string>>): BatchAction => ({
  takesSet: false,
  among: noVisibilityParams,
  prepare: (records, { type, caller }) =>
    records.prepareUpdates({ ...asEditor, type, caller, payload, setsState: true }),
});

/** Deletes as a type's own route does. */
export const deleteAction: BatchAction = {
  takesSet: false,
  isWhole: true,
  among: noVisibilityParams,
  async prepare(records, { type, caller }) {
    const write = await records.prepareDeletes({ ...asEditor, type, caller });
    return { faults: noFaults, write };
  },
};

/** Publishes the drafts of records that have one, and the records that are not published. */
const publishDrafts: BatchAction = {
  takesSet: false,
  among: noVisibilityParams,
  async prepare(records, { type, caller }) {
    const write = (id: string): PreparedWrite<unknown> => {
      const publication = records.preparePublication({ type, caller, id, payload: {}, ifMatch: null });
      return { type, run: (transaction) => publication.run(transaction).catch(unlessPublished) };
    };
    return { faults: noFaults, write };
  },
};

/** What is published already and has no draft is as it should be. */
function unlessPublished(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'no_draft')) throw error;
}

/** An action of a protocol that takes no body. */
function protocolAction({ name, effect, among }: RecordAction): BatchAction | undefined {
  if (effect === 'remove') return undefined;
  const hidden = new Map(Object.entries(among ?? {}));
  return {
    takesSet: false,
    isWhole: true,
    among: hidden,
    prepare: (records, { type, caller }) =>
      records.prepareUpdates({
        ...{ ...asEditor, type, caller, payload: {}, among: hidden, action: name },
        act: (moment, current) => effect(moment, current, {}),
      }),
  };
}

/** The actions that a type allows, by name: `update` and `delete`, and what its protocols have. */
export const batchActionsOf = perType((type): BatchActions => {
  const actions = new Map<string, BatchAction>([
    ['update', updateAction],
    ['delete', deleteAction],
  ]);
  const own = type.protocols.flatMap(({ protocol, options }) => protocol.actions?.(options) ?? []);
  const restore = own.find(({ name, input }) => name === 'restore' && input === undefined);
  const restoring = restore === undefined ? undefined : protocolAction(restore);
  if (restoring !== undefined) actions.set('restore', restoring);
  for (const [name, action] of statusActions(type)) actions.set(name, action);
  return actions;
});

export type StatusAction = 'publish' | 'unpublish' | 'archive';

/** What the actions between the states of published records and others set, of those that a type has. */
export const statusPayloadsOf = perType((type): ReadonlyMap<StatusAction, Readonly<Record<string, string>>> => {
  const state = publishedStateOf(type.protocols);
  const field = state === undefined ? undefined : type.field.get(state.column);
  if (state === undefined || field === undefined) return new Map();
  const first = typeof field.default === 'string' && field.default !== state.value ? field.default : undefined;
  const archived = field.type.domain?.(field).words.find((value) => value.toLowerCase() === 'archived');
  return new Map<StatusAction, Readonly<Record<string, string>>>([
    ['publish', { [state.column]: state.value }],
    ...(first === undefined ? [] : [['unpublish', { [state.column]: first }] as const]),
    ...(archived === undefined ? [] : [['archive', { [state.column]: archived }] as const]),
  ]);
});

/** Changes between the states of published records and others. */
const statusActions = (type: ContentType): readonly (readonly [string, BatchAction])[] =>
  [...statusPayloadsOf(type)].map(([name, payload]) => [
    name,
    name === 'publish' && draftsOf(type) !== undefined ? publishDrafts : stateAction(payload),
  ]);
