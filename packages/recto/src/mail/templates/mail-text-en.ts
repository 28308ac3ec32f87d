import type { MailTexts } from './mail-text.ts';

export const englishMails: MailTexts = {
  orOpen: 'If the button does not work, open this address:',
  from: 'This mail was sent by {{site}} ({{url}}).',
  kinds: {
    test: {
      subject: '{{site}}: mail works',
      lines: ['This is a test. If you can read it, {{site}} can send mail.'],
    },
  },
};
