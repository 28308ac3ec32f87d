import type { FieldFault } from '../base/problem.ts';
import { defineContentType } from '../definition/define-content-type.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import type { Protocol, StoredRecord } from '../definition/protocol.ts';
import { protocolField } from '../definition/protocols/protocol-field.ts';
import { authored } from './authored.ts';
import { nicknameField } from './nickname-field.ts';
import { stated } from './stated.ts';

/** The states of comments. Any may follow any other. */
export const commentStatuses = ['Pending', 'Approved', 'Rejected', 'Spam'] as const;

/** Comments (decisions, section 3). Their address is for editors alone. */
const definition = defineContentType({
  name: 'Comment',
  singular: 'comment',
  plural: 'comments',
  description: 'A comment on a post.',
  protocols: ['timestampable'],
  fields: [
    {
      name: 'post_id',
      field_type: 'relation',
      required: true,
      immutable: true,
      relation: { relation_type: 'many_to_one', target: 'posts' },
    },
    {
      name: 'parent_id',
      field_type: 'relation',
      immutable: true,
      relation: { relation_type: 'many_to_one', target: 'comments' },
      description: 'The comment that this one answers.',
    },
    { name: 'email', field_type: 'email', private: true },
    { name: 'content', field_type: 'text', required: true, max_length: 5000 },
  ],
  api: {
    // A member's own comments, all of them for editors and admins.
    list: {
      access: 'member',
      filter: '@request.auth.role = "editor" || @request.auth.role = "admin"',
      filter_auth: 'author_id = @request.auth.id',
    },
    get: { access: 'public', filter: 'status = "Approved" && post_id.status = "Published"' },
    create: { access: 'public' },
    update: { access: 'none' },
    delete: {
      access: 'member',
      filter: '@request.auth.role = "editor" || @request.auth.role = "admin"',
      filter_auth: 'author_id = @request.auth.id',
    },
  },
});

/** How many replies may stand one below another, beneath the comment that begins a thread. */
export const deepestReply = 5;

export const unknownParent: FieldFault = {
  field: 'parent_id',
  code: 'unknown_record',
  message: 'There is no such comment on this post.',
};

/** A comment goes with its post, and a reply with what it answers, which is on the same post and not too deep itself. */
const threaded: Protocol = {
  name: 'threaded',
  fields: () => [
    protocolField('nickname', nicknameField, { writable: true, required: false, options: { max_length: 100 } }),
  ],
  cascadeDelete: ['post_id', 'parent_id'],
  async storedFaults({ changed }, current, stored) {
    if (current !== null || typeof changed.parent_id !== 'string') return [];
    let above: StoredRecord | undefined = await stored.find(changed.parent_id);
    // A missing one has been reported already.
    if (above === undefined) return [];
    if (above.post_id !== changed.post_id) return [unknownParent];
    let depth = 1;
    while (typeof above?.parent_id === 'string') {
      depth += 1;
      above = await stored.find(above.parent_id);
    }
    if (depth <= deepestReply) return [];
    const message = `Replies go ${deepestReply} deep; this one would be deeper.`;
    return [{ field: 'parent_id', code: 'too_deep', message }];
  },
};

export const commentType: DefinitionSource = {
  file: 'comment (built in)',
  definition,
  builtIn: { protocols: [stated(commentStatuses), authored, threaded] },
};
