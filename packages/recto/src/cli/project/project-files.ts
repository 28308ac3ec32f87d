import { settingsTemplate } from './settings-template.ts';

/** The files of a new project, by their paths in it. */
export const projectFiles = (): Readonly<Record<string, string>> => ({
  'content-types/article.toml': article,
  'content-types/author.toml': author,
  'recto.toml': settingsTemplate(),
  '.gitignore': '# The database and the secret that signs tokens.\n/data/\n',
  'README.md': readme,
});

const article = `# Articles. Everyone reads those that are published; who is signed in writes drafts, and reads their own.
name = "Article"
singular = "article"
plural = "articles"
protocols = ["timestampable", "ownable"]

[[fields]]
name = "title"
field_type = "text"
required = true
max_length = 200

[[fields]]
name = "slug"
field_type = "uid"
target_field = "title"

[[fields]]
name = "body"
field_type = "richtext"

[[fields]]
name = "status"
field_type = "enum"
enum_values = ["draft", "published"]
default = "draft"

[[fields]]
name = "author"
field_type = "relation"
relation = { relation_type = "many_to_one", target = "authors" }

# Only the admin routes show it.
[[fields]]
name = "editor_note"
field_type = "text"
private = true

[api.list]
filter = 'status = "published"'
filter_auth = 'created_by = @request.auth.id'
cache = true

[api.get]
filter = 'status = "published"'
filter_auth = 'created_by = @request.auth.id'
cache = true

[api.create]
filter_auth = 'status = "draft"'

[api.update]
filter_auth = 'created_by = @request.auth.id && status = "draft"'
`;

const author = `# Authors, whom admins and editors keep.
name = "Author"
singular = "author"
plural = "authors"
protocols = ["timestampable"]

[[fields]]
name = "name"
field_type = "text"
required = true
max_length = 100

[[fields]]
name = "bio"
field_type = "richtext"

# The other side of an article's author.
[[fields]]
name = "articles"
field_type = "relation"
relation = { relation_type = "one_to_many", target = "articles", mapped_by = "author" }

[api]
create = { access = "admin" }
update = { access = "admin" }
`;

const readme = `# A Recto project

\`content-types/\` says what there is, \`recto.toml\` how it is served, and \`data/\` holds what is stored.

Recto is no npm package yet, so nothing here depends on one. Get a checkout of it, run \`npm ci\` there, and then, in this
folder, \`path/to/recto/bin/recto\` with one of these:

- \`start\` serves the API; the first start prints the admin's password
- \`check\` lists what is wrong with the definitions
- \`help\` lists all commands
`;
