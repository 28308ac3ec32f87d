import { type RecordAction, recordActions } from '../../api/permissions.svelte.ts';
import { type MessageKey, t } from '../../text/text.ts';
import { type FieldsDraft, namesIn, type RoleDraft, type TypeDraft } from './role-draft.ts';

export const actionLabels: Readonly<Record<RecordAction, MessageKey>> = {
  list: 'roles.actionList',
  get: 'roles.actionGet',
  create: 'roles.actionCreate',
  update: 'roles.actionUpdate',
  delete: 'roles.actionDelete',
  publish: 'roles.actionPublish',
};

function actionSentence(action: RecordAction, draft: TypeDraft, base: RoleDraft['base']): string {
  const right = t(actionLabels[action]);
  const { how, rule } = draft[action];
  switch (how) {
    case 'base':
      return t(base === 'editor' ? 'roles.sentenceAll' : 'roles.sentenceNone', { right });
    case 'all':
      return t('roles.sentenceAll', { right });
    case 'none':
      return t('roles.sentenceNone', { right });
    case 'rule':
      return t('roles.sentenceRule', { right, rule: rule.trim() === '' ? '…' : rule.trim() });
  }
}

const readTexts = {
  base: 'roles.sentenceReadsAll',
  only: 'roles.sentenceReadsOnly',
  except: 'roles.sentenceReadsExcept',
} as const;
const writeTexts = {
  base: 'roles.sentenceWritesAll',
  only: 'roles.sentenceWritesOnly',
  except: 'roles.sentenceWritesExcept',
} as const;

const fieldSentence = (texts: Readonly<Record<FieldsDraft['how'], MessageKey>>, { how, names }: FieldsDraft): string =>
  t(texts[how], { names: namesIn(names).join(', ') || '…' });

/** What the rights to a type mean, a sentence for each. */
export const sentences = (draft: TypeDraft, base: RoleDraft['base']): readonly string[] => [
  ...recordActions.map((action) => actionSentence(action, draft, base)),
  fieldSentence(readTexts, draft.read),
  fieldSentence(writeTexts, draft.write),
  ...(draft.languages.trim() === ''
    ? []
    : [t('roles.sentenceLanguages', { languages: namesIn(draft.languages).join(', ') })]),
];
