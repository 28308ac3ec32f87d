import type { MailTexts } from './mail-text.ts';

export const germanMails: MailTexts = {
  orOpen: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  from: 'Diese E-Mail kommt von {{site}} ({{url}}).',
  kinds: {
    verification: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {{site}}',
      lines: [
        'Jemand hat bei {{site}} ein Konto mit der Adresse {{email}} angelegt. Wenn Sie es waren, bestätigen Sie, dass die Adresse Ihnen gehört.',
      ],
      button: 'Adresse bestätigen',
      after: [
        'Der Link gilt 24 Stunden.',
        'Wenn Sie es nicht waren, bestätigen Sie nicht: Wer das Konto angelegt hat, kennt sein Passwort. Sie können diese E-Mail ignorieren.',
      ],
    },
    password_reset: {
      subject: 'Neues Passwort für {{site}} festlegen',
      lines: ['Jemand möchte für das Konto {{email}} bei {{site}} ein neues Passwort festlegen.'],
      button: 'Neues Passwort festlegen',
      after: [
        'Der Link gilt eine Stunde. Wenn Sie es nicht waren, können Sie diese E-Mail ignorieren: Das Passwort bleibt, wie es ist.',
      ],
    },
    account_exists: {
      subject: 'Sie haben bereits ein Konto bei {{site}}',
      lines: [
        'Jemand wollte sich bei {{site}} mit der Adresse {{email}} registrieren, die bereits ein Konto hat.',
        'Wenn Sie es waren und das Passwort nicht mehr wissen, legen Sie ein neues fest.',
      ],
      button: 'Neues Passwort festlegen',
      after: ['Der Link gilt eine Stunde. Wenn Sie es nicht waren, können Sie diese E-Mail ignorieren.'],
    },
    email_change: {
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse für {{site}}',
      lines: ['Das Konto {{email}} bei {{site}} soll diese Adresse bekommen. Bestätigen Sie, dass sie Ihnen gehört.'],
      button: 'Adresse bestätigen',
      after: [
        'Der Link gilt 24 Stunden. Wenn Sie es nicht waren, bestätigen Sie nicht: Das Konto behält seine Adresse.',
      ],
    },
    email_changed: {
      subject: 'Die E-Mail-Adresse Ihres Kontos bei {{site}} wurde geändert',
      lines: [
        'Ihr Konto bei {{site}} hat jetzt die Adresse {{email}}.',
        'Wenn Sie es nicht waren, nehmen Sie die Änderung zurück. Dabei werden alle abgemeldet, und das Passwort gilt nicht mehr; Sie bekommen dann einen Link, um ein neues festzulegen.',
      ],
      button: 'Änderung zurücknehmen',
      after: ['Der Link gilt 7 Tage.'],
    },
    password_changed: {
      subject: 'Ihr Passwort für {{site}} wurde geändert',
      lines: [
        'Das Konto {{email}} bei {{site}} hat ein neues Passwort und wurde überall abgemeldet.',
        'Wenn Sie es nicht waren, legen Sie mit „Passwort vergessen“ ein neues fest oder wenden Sie sich an die Betreiber von {{site}}.',
      ],
    },
    identity_linked: {
      subject: 'Ihr Konto bei {{site}} lässt sich mit {{provider}} öffnen',
      lines: [
        'Für das Konto {{email}} bei {{site}} kann man sich ab jetzt mit {{provider}} anmelden.',
        'Wenn Sie es nicht waren, entfernen Sie {{provider}} aus Ihrem Konto oder wenden Sie sich an die Betreiber von {{site}}.',
      ],
    },
    second_factor_changed: {
      subject: 'Der zweite Faktor Ihres Kontos bei {{site}} wurde geändert',
      lines: [
        'Ein zweiter Faktor des Kontos {{email}} bei {{site}} wurde hinzugefügt oder entfernt, oder es hat neue Wiederherstellungscodes.',
        'Wenn Sie es nicht waren, ändern Sie Ihr Passwort und wenden Sie sich an die Betreiber von {{site}}.',
      ],
    },
    new_passkey: {
      subject: 'Ihr Konto bei {{site}} hat einen neuen Passkey',
      lines: [
        'Dem Konto {{email}} bei {{site}} wurde ein Passkey hinzugefügt. Wer ihn hat, kann sich damit anmelden.',
        'Wenn Sie es nicht waren, entfernen Sie ihn und ändern Sie Ihr Passwort, oder wenden Sie sich an die Betreiber von {{site}}.',
      ],
    },
    invitation: {
      subject: 'Einladung zu {{site}}',
      lines: [
        'Sie sind mit der Adresse {{email}} zu {{site}} eingeladen. Wählen Sie ein Passwort, um sich anzumelden.',
      ],
      button: 'Einladung annehmen',
      after: ['Der Link gilt 7 Tage. Wenn Sie {{site}} nicht kennen, können Sie diese E-Mail ignorieren.'],
    },
    sign_in_code: {
      subject: 'Ihr Code für {{site}}: {{code}}',
      lines: ['Mit diesem Code melden Sie sich bei {{site}} als {{email}} an:'],
      code: '{{code}}',
      after: [
        'Er gilt 10 Minuten, auf dem Gerät, das ihn angefordert hat. Geben Sie ihn niemandem weiter. Wenn Sie keinen angefordert haben, können Sie diese E-Mail ignorieren.',
      ],
    },
    notifications: {
      subject: '{{count}} neu bei {{site}}',
      lines: ['Das wartet bei {{site}} auf Sie:', '{{list}}'],
      button: 'Verwaltung öffnen',
      after: [
        'Sie erhalten diese E-Mail, weil Sie darum gebeten haben. Auf der Seite Ihres Kontos ändern Sie das oder schalten es ab: {{settings_link}}',
      ],
    },
    test: {
      subject: '{{site}}: E-Mails funktionieren',
      lines: ['Dies ist ein Test. Wenn Sie ihn lesen können, kann {{site}} E-Mails senden.'],
    },
  },
};
