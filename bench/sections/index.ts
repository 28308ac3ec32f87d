import type { Section } from '../section.ts';
import { neighbourSection } from './neighbour-section.ts';
import { scaleSection } from './scale-section.ts';
import { speedSection } from './speed-section.ts';
import { startSection } from './start-section.ts';
import { workersSection } from './workers-section.ts';

/** In the order in which they are run and printed. */
export const sections: readonly Section[] = [
  speedSection,
  scaleSection,
  workersSection,
  neighbourSection,
  startSection,
];
