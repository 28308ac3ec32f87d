import { cron } from 'recto';

export default cron('0 3 * * *', async ({ db }) => {
  const { articles } = db.asSystem();
  const { items } = await articles.list({ filter: 'featured = true && published_at < @now - 30d' });
  for (const { id } of items) await articles.update(id, { featured: false });
});
