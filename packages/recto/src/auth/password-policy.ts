import { forbidden } from '../base/problem.ts';
import type { Account } from './account.ts';
import type { AuthPolicy } from './auth-policy.ts';

type PasswordPolicy = Pick<AuthPolicy, 'passwordSignIn'>;

/** Whether an account may sign in with a password (RECTO_PASSWORD_SIGN_IN). */
export const mayUsePassword = ({ role }: Pick<Account, 'role'>, { passwordSignIn }: PasswordPolicy): boolean =>
  passwordSignIn === 'on' || (passwordSignIn === 'members' && role === 'member');

export const passwordSignInOff = () =>
  forbidden('password_sign_in_off', 'Nobody signs in with a password here, or not with this role. Use another way.');
