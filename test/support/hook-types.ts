import { hooks, route, Type } from 'recto';

// Read by the compiler alone, with the content of the example magazine: each mistake below is an error of its own.

hooks('article', {
  check({ record, before, error }) {
    const title: string | null = record.title;
    const author: string | null = record.author;
    const topics: string[] = record.topics;
    record.summary = before?.summary ?? title;
    // @ts-expect-error: there is no such field.
    record.titel = title;
    // @ts-expect-error: a title is no number.
    record.title = 7;
    // @ts-expect-error: a code is needed.
    error('title', 'Wrong.');
    return void [author, topics];
  },
  async write({ tx }) {
    await tx.topics.create({ name: 'Typography' });
    // @ts-expect-error: a topic has a name.
    await tx.topics.create({ title: 'Typography' });
    // @ts-expect-error: there is no such type.
    await tx.topicks.list();
  },
  async after({ db, event }) {
    const article = await db.articles.get(event.record);
    // @ts-expect-error: it may be gone.
    void article.title;
    // @ts-expect-error: private, and so for the service alone.
    void article?.editor_note;
    void (await db.asSystem().articles.get(event.record))?.editor_note;
    void (await db['site-settings'].get()).title;
    void (await db.articles.list({ fields: ['title'] })).items[0]?.title?.length;
    void (await db.articles.get(event.record, { fields: ['title'] }))?.summary?.length;
    // @ts-expect-error: there is no such field.
    await db.articles.list({ fields: ['titel'] });
    // @ts-expect-error: private, and so for the service alone.
    await db.articles.get(event.record, { fields: ['editor_note'] });
    // @ts-expect-error: a single type has no list.
    await db['site-settings'].list();
  },
});

// @ts-expect-error: there is no such type.
hooks('artikel', {});

route({
  method: 'POST',
  path: '/quotes',
  access: 'member',
  body: Type.Object({ text: Type.String() }),
  handler: ({ body, query }) => {
    const text: string = body.text;
    // @ts-expect-error: the body has no such member.
    void body.words;
    return { text, query };
  },
});

route({
  method: 'GET',
  path: '/quotes',
  // @ts-expect-error: no access level.
  access: 'everybody',
  handler: () => null,
});
