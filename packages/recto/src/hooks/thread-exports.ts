// What `recto` is in a thread: everything that files of hooks, routes and jobs, and what they import, have a use for. A service of its
// own is not started there.

export { default as Type } from 'typebox';
export { FatalError } from '../base/fatal-error.ts';
export { Problem } from '../base/problem.ts';
export { defineContentType } from '../definition/define-content-type.ts';
export { cron } from './cron.ts';
export { hooks } from './hooks.ts';
export { route } from './route.ts';
