import { hooks } from 'recto';

export default hooks('article', {
  async write({ record, tx, error }) {
    if (!record.featured) return;
    const filter = `featured = true && id != "${record.id}"`;
    const { total } = await tx.asSystem().articles.list({ filter, page_size: 1 });
    if (total >= 3) error('featured', 'too_many', 'At most 3 articles are featured.');
  },
});
