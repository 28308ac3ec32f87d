import type { MailTexts } from './mail-text.ts';

export const englishMails: MailTexts = {
  orOpen: 'If the button does not work, open this address:',
  from: 'This mail was sent by {{site}} ({{url}}).',
  kinds: {
    verification: {
      subject: 'Confirm your email address for {{site}}',
      lines: [
        'Somebody has created an account at {{site}} with the address {{email}}. If it was you, confirm that the address is yours.',
      ],
      button: 'Confirm the address',
      after: [
        'The link works for 24 hours.',
        'If it was not you, do not confirm: whoever created the account knows its password. You can ignore this mail.',
      ],
    },
    password_reset: {
      subject: 'Set a new password for {{site}}',
      lines: ['Somebody has asked for a new password for the account {{email}} at {{site}}.'],
      button: 'Set a new password',
      after: ['The link works for one hour. If it was not you, you can ignore this mail: the password stays as it is.'],
    },
    account_exists: {
      subject: 'You already have an account at {{site}}',
      lines: [
        'Somebody has tried to register at {{site}} with the address {{email}}, which already has an account.',
        'If it was you and you do not remember the password, set a new one.',
      ],
      button: 'Set a new password',
      after: ['The link works for one hour. If it was not you, you can ignore this mail.'],
    },
    email_change: {
      subject: 'Confirm your new email address for {{site}}',
      lines: ['The account {{email}} at {{site}} is to get this address. Confirm that it is yours.'],
      button: 'Confirm the address',
      after: ['The link works for 24 hours. If this was not you, do not confirm: the account keeps its address.'],
    },
    email_changed: {
      subject: 'The email address of your account at {{site}} has changed',
      lines: [
        'Your account at {{site}} now has the address {{email}}.',
        'If it was not you, take the change back. It signs everybody out and ends the password; you then get a link to set a new one.',
      ],
      button: 'Take the change back',
      after: ['The link works for 7 days.'],
    },
    password_changed: {
      subject: 'Your password for {{site}} has changed',
      lines: [
        'The account {{email}} at {{site}} has a new password, and was signed out everywhere.',
        'If it was not you, set a new password with “Forgot password”, or ask those who run {{site}}.',
      ],
    },
    identity_linked: {
      subject: 'Your account at {{site}} can be opened with {{provider}}',
      lines: [
        'From now on, {{provider}} signs in to the account {{email}} at {{site}}.',
        'If it was not you, remove {{provider}} from your account, or ask those who run {{site}}.',
      ],
    },
    second_factor_changed: {
      subject: 'The second factor of your account at {{site}} has changed',
      lines: [
        'A second factor of the account {{email}} at {{site}} was added or removed, or it has new recovery codes.',
        'If it was not you, change your password, and ask those who run {{site}}.',
      ],
    },
    new_passkey: {
      subject: 'Your account at {{site}} has a new passkey',
      lines: [
        'A passkey was added to the account {{email}} at {{site}}. Whoever has it can sign in.',
        'If it was not you, remove it and change your password, or ask those who run {{site}}.',
      ],
    },
    invitation: {
      subject: 'You are invited to {{site}}',
      lines: ['You are invited to {{site}}, with the address {{email}}. Choose a password to sign in.'],
      button: 'Accept the invitation',
      after: ['The link works for 7 days. If you do not know {{site}}, you can ignore this mail.'],
    },
    sign_in_code: {
      subject: 'Your code for {{site}}: {{code}}',
      lines: ['With this code you sign in to {{site}} as {{email}}:'],
      code: '{{code}}',
      after: [
        'It works for 10 minutes, on the device that asked for it. Pass it on to nobody. If you have not asked for it, you can ignore this mail.',
      ],
    },
    notifications: {
      subject: '{{count}} new at {{site}}',
      lines: ['This waits for you at {{site}}:', '{{list}}'],
      button: 'Open the admin',
      after: [
        'You get this mail because you asked for it. Change that, or turn it off, on the page of your account: {{settings_link}}',
      ],
    },
    test: {
      subject: '{{site}}: mail works',
      lines: ['This is a test. If you can read it, {{site}} can send mail.'],
    },
  },
};
