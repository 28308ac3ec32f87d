import type { Component } from 'svelte';
import type { MessageKey } from '../text/text.ts';

/** What a screen gets: the parts of the path by their names. */
export interface ScreenProps {
  readonly params: Readonly<Record<string, string>>;
}

/** A screen may do without the path. */
type Screen = Component<ScreenProps> | Component<Record<string, never>>;

export interface Route {
  /** `/content/:plural/:id`: named parts begin with a colon. */
  readonly path: string;
  /** Its title until the screen sets a better one with `setTitle`. */
  readonly title: MessageKey;
  /**
   * Who may open it. Default: everybody who may enter. `installation`: admins without a tenant; `users`, `events` and `releases`: also roles with
   * these rights.
   */
  readonly for?: 'admin' | 'installation' | 'users' | 'events' | 'releases';
  readonly load: () => Promise<{ readonly default: Screen }>;
}

/** One screen, which stays when a new record gets its address. */
const editor = () => import('../screens/editor/Editor.svelte');
const releases = () => import('../screens/releases/ReleasePages.svelte');

/** All pages of the admin. The first that matches is shown. Each screen is loaded when it is opened. */
export const routes: readonly Route[] = [
  { path: '/', title: 'app.home', load: () => import('../screens/home/Home.svelte') },
  { path: '/content/:plural', title: 'app.content', load: () => import('../screens/list/List.svelte') },
  { path: '/content/:plural/new', title: 'app.content', load: editor },
  { path: '/content/:plural/:id', title: 'app.content', load: editor },
  { path: '/media', title: 'app.media', load: () => import('../screens/media/Media.svelte') },
  { path: '/comments', title: 'app.comments', load: () => import('../screens/comments/Comments.svelte') },
  { path: '/calendar', title: 'app.calendar', load: () => import('../screens/calendar/Calendar.svelte') },
  { path: '/releases', title: 'app.releases', for: 'releases', load: releases },
  { path: '/releases/:id', title: 'app.releases', for: 'releases', load: releases },
  { path: '/links', title: 'app.deadLinks', load: () => import('../screens/site/DeadLinks.svelte') },
  { path: '/types', title: 'app.types', for: 'installation', load: () => import('../screens/types/Types.svelte') },
  { path: '/types/new', title: 'app.types', for: 'installation', load: () => import('../screens/types/Type.svelte') },
  {
    path: '/types/:singular',
    title: 'app.types',
    for: 'installation',
    load: () => import('../screens/types/Type.svelte'),
  },
  { path: '/users', title: 'app.users', for: 'users', load: () => import('../screens/people/Users.svelte') },
  { path: '/users/new', title: 'app.users', for: 'users', load: () => import('../screens/people/User.svelte') },
  { path: '/users/:id', title: 'app.users', for: 'users', load: () => import('../screens/people/User.svelte') },
  { path: '/roles', title: 'app.roles', for: 'installation', load: () => import('../screens/roles/Roles.svelte') },
  { path: '/roles/new', title: 'app.roles', for: 'installation', load: () => import('../screens/roles/Role.svelte') },
  { path: '/roles/:name', title: 'app.roles', for: 'installation', load: () => import('../screens/roles/Role.svelte') },
  {
    path: '/api-tokens',
    title: 'app.apiTokens',
    for: 'admin',
    load: () => import('../screens/people/ApiTokens.svelte'),
  },
  {
    path: '/webhooks',
    title: 'app.webhooks',
    for: 'installation',
    load: () => import('../screens/site/Webhooks.svelte'),
  },
  {
    path: '/webhooks/new',
    title: 'app.webhooks',
    for: 'installation',
    load: () => import('../screens/site/Webhook.svelte'),
  },
  {
    path: '/webhooks/:id',
    title: 'app.webhooks',
    for: 'installation',
    load: () => import('../screens/site/Webhook.svelte'),
  },
  { path: '/audit-log', title: 'app.auditLog', for: 'events', load: () => import('../screens/site/AuditLog.svelte') },
  { path: '/jobs', title: 'app.jobs', for: 'admin', load: () => import('../screens/site/Jobs.svelte') },
  {
    path: '/settings',
    title: 'app.settings',
    for: 'installation',
    load: () => import('../screens/site/Settings.svelte'),
  },
  { path: '/profile', title: 'app.profile', load: () => import('../screens/people/Profile.svelte') },
];

export interface MatchedRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** The page at a path; undefined where there is none. */
export function matchRoute(path: string): MatchedRoute | undefined {
  const parts = path.split('/');
  for (const route of routes) {
    const params = paramsOf(route.path.split('/'), parts);
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

function paramsOf(pattern: readonly string[], parts: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, wanted] of pattern.entries()) {
    const part = parts[index] ?? '';
    if (!wanted.startsWith(':')) {
      if (part !== wanted) return undefined;
      continue;
    }
    try {
      params[wanted.slice(1)] = decodeURIComponent(part);
    } catch {
      return undefined;
    }
  }
  return params;
}
