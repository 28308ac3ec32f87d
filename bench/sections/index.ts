import type { Section } from '../section.ts';
import { neighbourSection } from './neighbour-section.ts';
import { postgresScaleSection, scaleSection } from './scale-section.ts';
import { postgresSoakSection, soakSection } from './soak-section.ts';
import { hooksSection, postgresSpeedSection, speedSection } from './speed-section.ts';
import { startSection, typesSection } from './start-section.ts';
import { workersSection } from './workers-section.ts';

/** In the order in which they are run and printed. */
export const sections: readonly Section[] = [
  speedSection,
  postgresSpeedSection,
  hooksSection,
  scaleSection,
  postgresScaleSection,
  workersSection,
  neighbourSection,
  startSection,
  typesSection,
  soakSection,
  postgresSoakSection,
];
