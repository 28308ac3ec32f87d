import type { Catalogue } from '../text.ts';
import { app } from './app.ts';
import { session } from './session.ts';

/** All German texts, by area. What is missing is shown in English. */
export const de: Catalogue = { app, session };
