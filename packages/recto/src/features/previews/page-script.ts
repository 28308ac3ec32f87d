/**
 * The script of the service's own page for previews. It takes the token from behind the `#`, asks the service for what it shows, and
 * shows what the admin sends while somebody writes. Values become text; rich text is made of elements that are known to be harmless, whatever it
 * holds. The page has an origin of its own (a sandbox), so that what it shows reaches neither the admin nor the browser's storage.
 */
export const pageScript = String.raw`const cms = location.origin;
const main = document.querySelector('main');
const status = document.querySelector('[role=status]');
const token = (/rpt_[\w-]+/.exec(location.hash) || [])[0];
const texts = JSON.parse(document.querySelector('main').dataset.texts);
let page;
let typed;
let isFramed = false;
const known = new Map();

const make = (name, ...children) => {
  const element = document.createElement(name);
  element.append(...children);
  return element;
};

const allowed = new Set('A ABBR B BLOCKQUOTE BR CAPTION CODE DD DEL DIV DL DT EM FIGCAPTION FIGURE H1 H2 H3 H4 H5 H6 HR I IMG INS KBD LI MARK OL P PRE S SMALL SPAN STRONG SUB SUP TABLE TBODY TD TFOOT TH THEAD TR U UL'.split(' '));
const dropped = new Set('SCRIPT STYLE TEMPLATE IFRAME OBJECT EMBED FORM INPUT BUTTON TEXTAREA SELECT SVG MATH NOSCRIPT'.split(' '));

const webAddress = (text) => {
  try {
    const address = new URL(text, cms);
    return /^https?:$/.test(address.protocol) ? address.href : undefined;
  } catch {
    return undefined;
  }
};

/** A copy of nodes with the elements that are allowed, without attributes but addresses of the web and texts in the place of pictures. */
const copyInto = (target, nodes) => {
  for (const node of nodes) {
    if (node.nodeType === Node.TEXT_NODE) target.append(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || dropped.has(node.nodeName.toUpperCase())) continue;
    if (!allowed.has(node.nodeName)) {
      copyInto(target, node.childNodes);
      continue;
    }
    const copy = make(node.nodeName);
    if (node.nodeName === 'A' && node.hasAttribute('href')) {
      copy.title = node.getAttribute('href');
      copy.className = 'link';
    }
    if (node.nodeName === 'IMG') {
      const address = webAddress(node.getAttribute('src') || '');
      if (address) copy.src = address;
      copy.alt = node.getAttribute('alt') || '';
    }
    copyInto(copy, node.childNodes);
    target.append(copy);
  }
};

const rich = (html) => {
  const box = make('div');
  box.className = 'rich';
  // Nothing in a template is loaded or run.
  const parsed = make('template');
  // Handlers are left out below: under another name, browsers do not report that the policy forbids them.
  parsed.innerHTML = html.replace(/<[^>]*>/g, (tag) => tag.replace(/\son(?=\w+\s*=)/gi, ' data-on'));
  copyInto(box, parsed.content.childNodes);
  return box;
};

/** What is known of a file or a record that is only named by its id. */
const named = (value) => (typeof value === 'string' ? known.get(value) : value);

const keep = (value) => {
  if (Array.isArray(value)) value.forEach(keep);
  else if (value && typeof value === 'object') {
    if (typeof value.id === 'string') known.set(value.id, value);
    Object.values(value).forEach(keep);
  }
};

const picture = (value) => {
  const file = named(value);
  const address = file ? webAddress(file.url || '') : typeof value === 'string' && /^(https?:|\/)/.test(value) ? webAddress(value) : undefined;
  if (!address) return make('em', texts.file);
  if (file && file.mime_type && !file.mime_type.startsWith('image/')) return make('span', file.name || address);
  const image = make('img');
  image.src = address;
  image.alt = (file && file.alt) || '';
  return image;
};

const related = (value) => {
  const record = named(value);
  const text = record && ['title', 'name', 'label', 'slug'].map((name) => record[name]).find((each) => typeof each === 'string');
  return make('span', text || texts.record);
};

const dated = (value, how) => {
  const date = new Date(how.timeStyle ? value : value + 'T12:00:00Z');
  return Number.isNaN(date.getTime()) ? String(value) : new Intl.DateTimeFormat(document.documentElement.lang, how).format(date);
};

const one = (field, value, path) => {
  switch (field.type) {
    case 'richtext':
      return field.markdown ? make('pre', String(value)) : rich(String(value));
    case 'media':
      return picture(value);
    case 'relation':
      return related(value);
    case 'boolean':
      return make('span', value ? texts.yes : texts.no);
    case 'date':
      return make('span', dated(value, { dateStyle: 'long' }));
    case 'datetime':
      return make('span', dated(value, { dateStyle: 'long', timeStyle: 'short' }));
    case 'group':
      return parts(field.fields, value, path);
    case 'blocks': {
      const kind = field.blocks.find(({ name }) => name === value.block);
      const section = make('section', ...(kind ? [make('h3', kind.label), parts(kind.fields, value, path)] : []));
      return section;
    }
    case 'json':
      return make('pre', JSON.stringify(value, null, 2));
    default:
      return make('p', typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
};

const isEmpty = (value) => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const several = (field, value, path) => {
  const item = field.type === 'list' ? field.item || { type: 'group', fields: field.fields } : field;
  if (!Array.isArray(value)) return one(field, value, path);
  return make('div', ...value.filter((each) => !isEmpty(each)).map((each, index) => marked(one(item, each, path + '.' + index), path + '.' + index)));
};

const marked = (element, path) => {
  if (page.record || typed) element.dataset.recto = page.type.plural + '/' + (typed ? typed.id : page.record.id) + '#' + path;
  return element;
};

const parts = (fields, record, path) => {
  const box = make('div');
  for (const field of fields) {
    const value = record[field.name];
    if (isEmpty(value) || (value && typeof value === 'object' && !Array.isArray(value) && !['media', 'relation', 'group', 'json'].includes(field.type))) continue;
    const own = path ? path + '.' + field.name : field.name;
    box.append(marked(make('section', make('h2', field.label), several(field, value, own)), own));
  }
  return box;
};

const show = () => {
  if (!page) return;
  const record = typed ? { ...page.record, ...typed.record } : page.record;
  const { fields, title } = page.type;
  if (!record) {
    status.textContent = texts.waiting;
    return;
  }
  status.textContent = '';
  const heading = title && !isEmpty(record[title]) ? String(record[title]) : page.type.name;
  document.title = heading;
  const top = make('h1', heading);
  if (title) marked(top, title);
  main.replaceChildren(top, parts(fields.filter(({ name }) => name !== title), record, ''));
};

const load = async () => {
  if (!token) {
    status.textContent = texts.ended;
    return;
  }
  const response = await fetch('/recto-preview/data', { method: 'POST', body: token }).catch(() => undefined);
  if (!response || !response.ok) {
    status.textContent = response && (response.status === 401 || response.status === 404) ? texts.ended : texts.failed;
    return;
  }
  page = await response.json();
  keep(page.record);
  document.documentElement.lang = page.language;
  show();
};

addEventListener('message', ({ source, origin, data }) => {
  if (parent === window || source !== parent || origin !== cms || !data) return;
  isFramed = true;
  document.documentElement.className = 'framed';
  if (data.type === 'recto:preview' && page && data.content_type === page.type.singular && data.record && typeof data.record === 'object') {
    typed = data;
    show();
  }
  if (data.type === 'recto:saved') load();
});

addEventListener('click', (event) => {
  const found = event.target instanceof Element && event.target.closest('[data-recto]');
  if (!found || !isFramed) return;
  event.preventDefault();
  parent.postMessage({ type: 'recto:edit', path: found.dataset.recto }, cms);
}, true);

load().then(() => {
  if (parent !== window) parent.postMessage({ type: 'recto:ready' }, cms);
});
`;

export const pageStyle = `:root { color-scheme: light; background: white; color: #16181d; font: 1.0625rem/1.6 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 1.5rem; }
h2, h3 { font-size: 0.8125rem; font-weight: 600; margin: 1.5rem 0 0.25rem; opacity: 0.7; }
.rich h1, .rich h2, .rich h3 { font-size: 1.25rem; opacity: 1; }
p { margin: 0 0 0.75rem; white-space: pre-line; }
img { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; font-size: 0.875rem; }
.link { text-decoration: underline; }
table { border-collapse: collapse; }
td, th { border: 1px solid; padding: 0.25rem 0.5rem; }
[role=status] { padding: 2rem 1.25rem; text-align: center; }
[role=status]:empty { display: none; }
.framed [data-recto]:hover { outline: 1px dashed; outline-offset: 4px; cursor: pointer; }
`;
