import type { ContentType } from '../../definition/content-type.ts';
import type { Operation } from '../../http/operation.ts';
import { type BatchActions, deleteAction, stateAction } from '../../records/batch/batch-action.ts';
import type { Records } from '../../records/records.ts';
import { statusOperation } from '../publications/status-operation.ts';
import { aggregateOperations } from '../records/aggregate-operation.ts';
import { batchOperation } from '../records/batch-operation.ts';
import { recordOperation } from '../records/record-operation.ts';
import type { CommentParts } from './comment-parts.ts';
import { createCommentOperations, replyOperation } from './create-comment-operations.ts';
import { listThreadsOperation } from './list-threads-operation.ts';

/** The routes of comments (service specification, section 4.2); none where the service has no posts and comments. */
export function commentOperations(parts: CommentParts): readonly Operation[] {
  const { types, records } = parts;
  const type = types.find('comment');
  if (type?.builtIn !== true) return [];
  return [
    listThreadsOperation(type, records),
    ...createCommentOperations(type, parts),
    ...callerOperations(type, records),
    ...adminOperations(type, records),
    replyOperation(type, parts),
  ];
}

/** A member's own comments; all of them for editors and admins. */
function callerOperations(type: ContentType, records: Records): readonly Operation[] {
  const path = `/api/v1/${type.plural}`;
  return [
    recordOperation(type, records, { method: 'GET', path, action: 'list', admin: false }),
    recordOperation(type, records, { method: 'DELETE', path: `${path}/{id}`, action: 'delete', admin: false }),
    { ...statusOperation(type, records), id: 'moderateComment', path: `${path}/{id}/status` },
  ];
}

function adminOperations(type: ContentType, records: Records): readonly Operation[] {
  const path = `/api/v1/admin/${type.plural}`;
  return [
    recordOperation(type, records, { method: 'GET', path, action: 'list', admin: true }),
    recordOperation(type, records, { method: 'DELETE', path: `${path}/{id}`, action: 'delete', admin: true }),
    ...aggregateOperations(type, records, { path, admin: true }),
    statusOperation(type, records),
    batchOperation(type, records, { base: path, actions: commentActions }),
  ];
}

const commentActions: BatchActions = new Map([
  ['approve', stateAction({ status: 'Approved' })],
  ['reject', stateAction({ status: 'Rejected' })],
  ['spam', stateAction({ status: 'Spam' })],
  // The way back.
  ['pending', stateAction({ status: 'Pending' })],
  ['delete', deleteAction],
]);
