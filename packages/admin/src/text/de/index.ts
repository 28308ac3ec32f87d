import type { Catalogue } from '../text.ts';
import { app } from './app.ts';
import { home } from './home.ts';
import { palette } from './palette.ts';
import { session } from './session.ts';
import { ui } from './ui.ts';

/** All German texts, by area. What is missing is shown in English. */
export const de: Catalogue = { app, home, palette, session, ui };
