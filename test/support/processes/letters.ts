const open = `
[api.list]
cache = true
[api.create]
access = "public"
[api.update]
access = "public"
`;

/** Files of two types that anyone writes and reads with a cache: people, and letters that they send. */
export const letters = {
  'person.toml': `
singular = "person"
plural = "people"
[[fields]]
name = "name"
field_type = "text"
${open}`,
  'letter.toml': `
singular = "letter"
plural = "letters"
[[fields]]
name = "text"
field_type = "text"
[[fields]]
name = "sender"
field_type = "relation"
relation = { relation_type = "many_to_one", target = "people" }
${open}`,
};
