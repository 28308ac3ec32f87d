import { type RecordAction, recordActions } from '../../api/permissions.svelte.ts';
import { type MessageKey, t } from '../../text/text.ts';
import { actionLabels } from './role-sentences.ts';

/** Why one thing may be done with a record, or may not. Null: that depends on what is sent. */
export interface Answer {
  readonly may: boolean | null;
  readonly rule: string | null;
  readonly holds: boolean | null;
}

/** `GET /admin/cms/{plural}/{id}/access`. */
export interface RecordAccess {
  readonly hidden: boolean;
  readonly actions: Readonly<Partial<Record<RecordAction, Answer>>>;
}

/** What is said of a record, in order. */
export const answersOf = ({ actions }: RecordAccess): readonly (readonly [RecordAction, Answer])[] =>
  recordActions.flatMap((action) => {
    const answer = actions[action];
    return answer === undefined ? [] : [[action, answer] as const];
  });

const labels: Readonly<Record<'true' | 'false' | 'null', MessageKey>> = {
  true: 'roles.accessYes',
  false: 'roles.accessNo',
  null: 'roles.accessDepends',
};

export const answerLabel = ({ may }: Answer): string => t(labels[`${may}`]);

/** Rights without which another one is of no use. */
const takes: Readonly<Partial<Record<RecordAction, readonly RecordAction[]>>> = {
  update: ['get'],
  delete: ['get'],
  publish: ['get', 'update'],
};

/** Why, in a sentence. */
export function answerSentence(action: RecordAction, answer: Answer, { hidden, actions }: RecordAccess): string {
  const { may, rule, holds } = answer;
  const missing = (takes[action] ?? []).find((other) => actions[other]?.holds === false);
  if (holds !== false && may === false && missing !== undefined) {
    return t('roles.accessMissing', { right: t(actionLabels[missing]) });
  }
  if (holds !== false && may === false && hidden) return t('roles.accessHiddenToo');
  if (rule === null) return t(holds === true ? 'roles.accessAll' : 'roles.accessNone');
  if (holds === null) return t('roles.accessSent', { rule });
  return t(holds ? 'roles.accessHolds' : 'roles.accessFails', { rule });
}
