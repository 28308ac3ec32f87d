import { hooks } from 'recto';

export default hooks('article', {
  check({ record }) {
    const text = record.body?.replace(/(?:<[^>]*>|\s)+/g, ' ').trim() ?? '';
    if (!record.summary && text !== '') record.summary = text.slice(0, 200);
  },
});
