import type { APIRoute } from 'astro';
import { signOut } from '../sessions.ts';

export const POST: APIRoute = async ({ cookies, locals, redirect }) => {
  await signOut(cookies.get('session')?.value ?? '');
  cookies.delete('session', { path: '/' });
  return redirect(locals.language.to('/'), 303);
};
