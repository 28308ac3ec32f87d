import { expect, test } from 'bun:test';
import { isEmbed } from '../html/allowed-html.ts';
import { embedAddress, frameAddress } from './embed-address.ts';

test.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
  ['https://www.youtube.com/watch?list=a&v=dQw4w9WgXcQ&t=10s', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
  ['https://youtu.be/dQw4w9WgXcQ?si=x', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
  ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871'],
  [
    'https://open.spotify.com/episode/4rOoJ6Egrf8K2IrywzwOMk',
    'https://open.spotify.com/embed/episode/4rOoJ6Egrf8K2IrywzwOMk',
  ],
  ['https://codepen.io/ada/pen/abc/', 'https://codepen.io/ada/embed/abc'],
])('%s is shown by %s', (address, frame) => {
  expect(embedAddress(address)).toBe(frame);
  expect(isEmbed(frame)).toBe(true);
});

test.each([
  'https://example.com/watch?v=x',
  'https://evil.example/https://youtu.be/x',
  'https://youtu.be.evil.example/x',
  'https://youtu.be/x"onload=alert(1)',
  'see https://youtu.be/x',
  'https://vimeo.com/about',
  'javascript:alert(1)//youtu.be/x',
])('%s is no player', (address) => {
  expect(embedAddress(address)).toBeUndefined();
});

test.each([
  ['https://youtu.be/x', 'https://www.youtube-nocookie.com/embed/x'],
  ['https://podcasts.apple.com/us/podcast/a-b/id1?i=2', 'https://embed.podcasts.apple.com/us/podcast/a-b/id1?i=2'],
  ['https://w.soundcloud.com/player/?url=a&b=1', 'https://w.soundcloud.com/player/?url=a&b=1'],
  ['https://player.vimeo.com/video/1', 'https://player.vimeo.com/video/1'],
])('%s is shown in the frame %s', (address, frame) => {
  expect(frameAddress(address)).toBe(frame);
  expect(isEmbed(frame)).toBe(true);
});

test.each([
  'https://example.com/embed/1',
  'http://player.vimeo.com/video/1',
  'https://www.youtube.com/@recto',
  'embed',
])('%s is shown in no frame', (address) => {
  expect(frameAddress(address)).toBeUndefined();
});
