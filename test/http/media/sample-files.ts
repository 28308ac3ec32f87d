import { deflateSync } from 'node:zlib';

// Small files of many types, made by hand.

type Bytes = Uint8Array<ArrayBuffer>;
type Part = string | number | Uint8Array | readonly Part[];

/** Bytes of texts, single bytes, and parts within parts. */
export function bytesOf(...parts: readonly Part[]): Bytes {
  const flat = (part: Part): Uint8Array =>
    typeof part === 'string'
      ? Buffer.from(part, 'latin1')
      : typeof part === 'number'
        ? Uint8Array.of(part)
        : part instanceof Uint8Array
          ? part
          : Buffer.concat(part.map(flat));
  return new Uint8Array(Buffer.concat(parts.map(flat)));
}

const big = (value: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => Math.floor(value / 2 ** (8 * (length - 1 - index))) % 256);
const little = (value: number, length: number): Uint8Array => big(value, length).toReversed();
const zeros = (length: number): Uint8Array => new Uint8Array(length);

/** A PDF of objects by their numbers, from 1, of which the first is the catalogue. */
export function pdfOf(objects: readonly Part[], trailer = ''): Bytes {
  let file = bytesOf('%PDF-1.7\n');
  const places = objects.map((object, index) => {
    const place = file.length;
    file = bytesOf(file, `${index + 1} 0 obj\n`, object, '\nendobj\n');
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${file.length}\n%%EOF\n`;
  return bytesOf(file, table, end);
}

const catalogue = '<< /Type /Catalog /Pages 2 0 R >>';
const page = (parent: number): string => `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 10 10] >>`;

/** Three pages, of which two are in a branch of their own. */
export const threePages = (): Bytes =>
  pdfOf([
    catalogue,
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 3 >>',
    page(2),
    '<< /Type /Pages /Parent 2 0 R /Kids [5 0 R 6 0 R] /Count 2 >>',
    page(4),
    page(4),
  ]);

export const pdfStream = (dictionary: string, data: Uint8Array): Part => [
  `<< ${dictionary} /Length ${data.length} >>\nstream\n`,
  data,
  '\nendstream',
];

/** Two pages, whose objects are compressed, as programs write them today. */
export function compressedPdf(): Bytes {
  const inner = [catalogue, '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>', page(2), page(2)];
  let at = 0;
  const heads = inner.map((object, index) => {
    const head = `${index + 1} ${at}`;
    at += object.length + 1;
    return head;
  });
  const first = heads.join(' ').length + 1;
  const data = deflateSync(bytesOf(heads.join(' '), ' ', inner.join(' ')));
  const head = bytesOf('%PDF-1.5\n');
  const store = bytesOf(
    '5 0 obj\n',
    pdfStream(`/Type /ObjStm /N ${inner.length} /First ${first} /Filter /FlateDecode`, data),
    '\nendobj\n',
  );
  const start = head.length + store.length;
  const rows = [[0, 0, 0], ...inner.map((_, index) => [2, 5, index]), [1, head.length, 0], [1, start, 0]].map(
    ([kind = 0, place = 0, index = 0]) => bytesOf(kind, big(place, 4), index),
  );
  const table = pdfStream('/Type /XRef /Size 7 /W [1 4 1] /Root 1 0 R', Buffer.concat(rows));
  return bytesOf(head, store, '6 0 obj\n', table, `\nendobj\nstartxref\n${start}\n%%EOF\n`);
}

/** Mono, 8,000 samples a second of one byte. */
export const wav = (seconds: number, claimed = seconds * 8000): Bytes =>
  bytesOf(
    ['RIFF', little(36 + claimed, 4), 'WAVE', 'fmt ', little(16, 4), little(1, 2), little(1, 2)],
    [little(8000, 4), little(8000, 4), little(1, 2), little(8, 2), 'data', little(claimed, 4), zeros(seconds * 8000)],
  );

/** The head of a FLAC file with its number of samples, at 44,100 a second. */
export const flac = (seconds: number): Bytes =>
  bytesOf(
    ['fLaC', 0x80, big(34, 3), big(4096, 2), big(4096, 2), zeros(6)],
    // 20 bits of the rate, 3 of the channels, 5 of the sample size, 36 of the samples.
    [big(44_100 * 16 + 2, 3), big(0xf0, 1), big(seconds * 44_100, 4), zeros(16)],
  );

/** Frames of 128 kbit and 1,152 samples at 44,100 a second, with silence. */
export const mp3 = (frames: number): Bytes =>
  bytesOf(Array.from({ length: frames }, () => [0xff, 0xfb, 0x90, 0x00, zeros(413)]));

export const box = (name: string, ...content: readonly Part[]): Bytes => {
  const data = bytesOf(...content);
  return bytesOf(big(data.length + 8, 4), name, data);
};

/** With the description at the end, as cameras write it. */
export const mp4 = (seconds: number, version = 0): Bytes => {
  const long = version === 1 ? 8 : 4;
  const times = [version, zeros(3), zeros(2 * long), big(1000, 4), big(seconds * 1000, long)];
  const movie = box('mvhd', times, big(0x10000, 4), zeros(76), big(2, 4));
  return bytesOf(box('ftyp', 'isom', zeros(4), 'isom', 'mp41'), box('mdat', zeros(100_000)), box('moov', movie));
};

const element = (id: readonly number[], ...content: readonly Part[]): Bytes => {
  const data = bytesOf(...content);
  return bytesOf(id, 0x10, big(data.length, 3), data);
};

export const webm = (seconds: number): Bytes => {
  const duration = new DataView(new ArrayBuffer(8));
  duration.setFloat64(0, seconds * 1000);
  return bytesOf(
    element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], 'webm')),
    element(
      [0x18, 0x53, 0x80, 0x67],
      element(
        [0x15, 0x49, 0xa9, 0x66],
        element([0x2a, 0xd7, 0xb1], big(1_000_000, 3)),
        element([0x44, 0x89], new Uint8Array(duration.buffer)),
      ),
    ),
  );
};

/** Each of them ends, costs little, and says nothing that is believed. */
export const hostile: Readonly<Record<string, () => Bytes>> = {
  'a PDF whose pages are in a circle': () =>
    pdfOf([
      catalogue,
      '<< /Type /Pages /Kids [3 0 R] /Count 9 >>',
      '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 9 >>',
    ]),
  'a PDF that claims 2,147,483,647 pages': () =>
    pdfOf([catalogue, '<< /Type /Pages /Kids [3 0 R] /Count 2147483647 >>', page(2)]),
  'a PDF whose tables name each other': () => pdfOf([catalogue], '/Prev 9 '),
  'half of a PDF': () => threePages().slice(0, 200),
  'a PDF that is nothing but its head': () => bytesOf('%PDF-1.7\n'),
  'a PDF of noise': () =>
    bytesOf('%PDF-1.7\n', Buffer.alloc(3_000_000, '1 0 obj << /A [ ( '), '\nstartxref\n9\n%%EOF\n'),
  'a PDF larger than is read': () => bytesOf('%PDF-1.7\n', Buffer.alloc(40_000_000, ' '), '\nstartxref\n9\n%%EOF\n'),
  'a PDF whose table expands to 256 MiB': () => {
    const bomb = deflateSync(deflateSync(zeros(2 ** 28), { level: 9 }), { level: 9 });
    const filters = '/Filter [/FlateDecode /FlateDecode] /Type /XRef /Size 9 /W [1 4 1] /Root 1 0 R';
    return bytesOf('%PDF-1.5\n1 0 obj\n', pdfStream(filters, bomb), '\nendobj\nstartxref\n9\n%%EOF\n');
  },
  'an MP4 with boxes of no size': () => bytesOf(box('ftyp', 'isom', zeros(4), 'isom'), box('moov', zeros(100_000))),
  'an MP4 with descriptions of no size': () => {
    const entries = box('stsd', zeros(4), big(0xffffffff, 4), zeros(64));
    const track = box('trak', box('mdia', box('minf', box('stbl', entries))));
    return bytesOf(box('ftyp', 'isom', zeros(4), 'isom'), box('moov', track));
  },
  'an MP4 in which nothing has an end': () =>
    bytesOf(box('ftyp', 'isom', zeros(4), 'isom'), zeros(4), 'moov', zeros(4), 'moov'),
  'an MP4 with a million boxes': () => {
    const empty = box('free');
    return bytesOf(box('ftyp', 'isom', zeros(4), 'isom'), Buffer.alloc(8_000_000, empty));
  },
  'half of an MP4': () => mp4(7).slice(0, 100_050),
  'a WAV of no more than its claims': () => wav(0, 0xfffffff0).slice(0, 44),
  'an MP3 with a tag of 256 MB': () => bytesOf('ID3', 3, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f, zeros(1000)),
  'a FLAC with pictures of no end': () => bytesOf('fLaC', [6, big(0xffffff, 3)], big(0xffffffff, 4), zeros(100)),
};
