import type { MailTexts } from './mail-text.ts';

export const germanMails: MailTexts = {
  orOpen: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  from: 'Diese E-Mail kommt von {{site}} ({{url}}).',
  kinds: {
    test: {
      subject: '{{site}}: E-Mails funktionieren',
      lines: ['Dies ist ein Test. Wenn Sie ihn lesen können, kann {{site}} E-Mails senden.'],
    },
  },
};
