import sharp, { type Sharp } from 'sharp';
import { mostAvifPixels, mostPixels } from './image-work.ts';

// One thread for each image: the number of images at work is what is limited.
sharp.concurrency(1);
sharp.cache(false);
// Only decoders of images that browsers show, and TIFF. None that runs scripts, fetches or renders documents.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngFile',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifFile',
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadTiffFile',
    'VipsForeignLoadTiffBuffer',
  ],
});

/** An AVIF and its relatives begin with a box of the type `ftyp` (ISO/IEC 14496-12, section 4.3). */
const isAvif = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(4, 8)).toString('latin1') === 'ftyp';

/** How many pixels an image may have to be decoded. */
export const pixelLimit = (bytes: Uint8Array): number => (isAvif(bytes) ? mostAvifPixels : mostPixels);

/** An image that is decoded as far as it is used. Fails for one of too many pixels, before any is decoded. */
export const decoded = (bytes: Uint8Array): Sharp =>
  sharp(bytes, { limitInputPixels: pixelLimit(bytes), failOn: 'error', sequentialRead: true });

/** What an image says of itself at its beginning, however large it claims to be. */
export const described = (bytes: Uint8Array): Sharp => sharp(bytes, { limitInputPixels: false });
