import type { APIRoute } from 'astro';
import { signOut } from '../sessions.ts';

export const POST: APIRoute = async ({ cookies, redirect }) => {
  await signOut(cookies.get('session')?.value ?? '');
  cookies.delete('session', { path: '/' });
  return redirect('/', 303);
};
