import { defineContentType } from '../definition/definition-file.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import { authored } from './authored.ts';

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
    { name: 'nickname', field_type: 'text', max_length: 100 },
    { name: 'email', field_type: 'email', private: true },
    { name: 'content', field_type: 'text', required: true, max_length: 5000 },
    { name: 'status', field_type: 'enum', enum_values: [...commentStatuses], default: 'Pending' },
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

export const commentType: DefinitionSource = {
  file: 'comment (built in)',
  definition,
  builtIn: { protocols: [authored] },
};
