/** A program of `limits/`, its arguments, and the required ratio of our speed to its speed. */
export interface Limit {
  readonly program: string;
  readonly words: readonly string[];
  readonly target: number;
}

/** The limits of one database. */
export interface BareWork {
  readonly get: Limit;
  readonly list: Limit;
  readonly create: Limit;
}

export function bareOnSqlite(file: string, createFile: string): BareWork {
  // The JSON of an article as a bare server would produce it.
  const json = `json_object('id', a.id, 'title', a.title, 'summary', a.summary, 'status', a.status, 'reads', a.reads,
    'rating', a.rating, 'featured', json(case a.featured when 1 then 'true' when 0 then 'false' end), 'author', a.author,
    'topics', json((select json_group_array(target_id) from (select target_id from "cms_article$topics" where source_id = a.id
      order by position))), 'created_at', a.created_at, 'updated_at', a.updated_at)`;
  const get = `select ${json} as body from cms_article a where a.id = ? and a.status = 'published'`;
  const filtered = `from cms_article where status = 'published' and featured = 1`;
  const items = `select json_group_array(json(${json})) as items
    from (select * ${filtered} order by reads desc, id desc limit 20) as a`;
  const total = `select count(*) as total ${filtered}`;
  return {
    get: { program: 'record-server.ts', words: [file, get], target: 0.6 },
    list: { program: 'list-server.ts', words: [file, items, total], target: 0.6 },
    create: { program: 'create-server.ts', words: [createFile], target: 1.5 },
  };
}

export function bareOnPostgres(url: string): BareWork {
  const text = (column: string): string => `coalesce(to_json(a.${column})::text, 'null')`;
  const plain = (column: string): string => `coalesce(a.${column}::text, 'null')`;
  // Our own statement, which produces JSON faster than PostgreSQL's own functions.
  const json = `'{"id":' || ${text('id')} || ',"title":' || ${text('title')} || ',"summary":' || ${text('summary')} || ',"status":'
    || ${text('status')} || ',"reads":' || ${plain('reads')} || ',"rating":' || ${plain('rating')} || ',"featured":' || ${plain('featured')}
    || ',"author":' || ${text('author')} || ',"topics":[' || coalesce((select string_agg(to_json(target_id)::text, ',') from
      (select target_id from "cms_article$topics" where source_id = a.id order by position) as t), '') || '],"created_at":'
    || ${text('created_at')} || ',"updated_at":' || ${text('updated_at')} || '}'`;
  const get = `select ${json} as body from cms_article a where a.id = $1 and a.status = 'published'`;
  const filtered = `from cms_article where status = 'published' and featured = $1`;
  const items = `select '[' || coalesce(string_agg(${json}, ','), '') || ']' as items
    from (select * ${filtered} order by reads desc nulls last, id desc limit 20) as a`;
  const total = `select count(*) as total ${filtered}`;
  return {
    get: { program: 'postgres-record-server.ts', words: [url, get], target: 0.7 },
    list: { program: 'postgres-list-server.ts', words: [url, items, total], target: 0.6 },
    create: { program: 'postgres-create-server.ts', words: [url], target: 1.5 },
  };
}
