import type { Catalogue } from '../catalogue.ts';
import { app } from './app.ts';
import { blocks } from './blocks.ts';
import { board } from './board.ts';
import { calendar } from './calendar.ts';
import { comments } from './comments.ts';
import { editor } from './editor.ts';
import { factors } from './factors.ts';
import { fields } from './fields.ts';
import { forgot } from './forgot.ts';
import { history } from './history.ts';
import { home } from './home.ts';
import { languages } from './languages.ts';
import { list } from './list.ts';
import { listTools } from './list-tools.ts';
import { media } from './media.ts';
import { names } from './names.ts';
import { notes } from './notes.ts';
import { notifications } from './notifications.ts';
import { offline } from './offline.ts';
import { palette } from './palette.ts';
import { people } from './people.ts';
import { pictures } from './pictures.ts';
import { preview } from './preview.ts';
import { problems } from './problems.ts';
import { releases } from './releases.ts';
import { roles } from './roles.ts';
import { session } from './session.ts';
import { site } from './site.ts';
import { transfers } from './transfers.ts';
import { types } from './types.ts';
import { ui } from './ui.ts';
import { visits } from './visits.ts';

/** All German texts, by area. */
export const texts: Catalogue = {
  app,
  blocks,
  board,
  calendar,
  comments,
  editor,
  factors,
  fields,
  forgot,
  history,
  home,
  languages,
  list,
  listTools,
  media,
  names,
  notes,
  notifications,
  offline,
  palette,
  people,
  pictures,
  problems,
  preview,
  releases,
  roles,
  session,
  site,
  transfers,
  types,
  ui,
  visits,
};
