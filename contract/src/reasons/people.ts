import type { Entries } from './entries.ts'

/** Accounts, companies and who belongs to them. */
export const people = {
  username_has_character: {
    en: 'can have letters, digits and . _ - + only, and not the character {character}',
    de: 'darf nur Buchstaben, Ziffern und . _ - + enthalten, nicht das Zeichen {character}',
  },
  username_has_odd_letters: {
    en: 'must have plain letters and digits, not wide, circled, raised or joined ones',
    de: 'darf nur gewöhnliche Buchstaben und Ziffern enthalten',
  },
  username_has_odd_accents: {
    en: 'has accents without a letter, or too many on one',
    de: 'hat Akzente ohne Buchstaben oder zu viele auf einem',
  },
  username_mixes_scripts: {
    en: 'must have the letters of one script only, such as Latin or Greek',
    de: 'darf nur Buchstaben einer Schrift enthalten, zum Beispiel lateinische',
  },
  username_looks_like_another: {
    en: 'looks like the name of another user: choose one that differs more',
    de: 'sieht aus wie der Name eines anderen Kontos: Wählen Sie einen, der sich mehr unterscheidet',
  },
  username_looks_like_operator: {
    en: 'looks like that of the operator of the service',
    de: 'sieht aus wie der Name des Betreibers dieses Dienstes',
  },
  password_is_name: {
    en: 'must not be the username or the e-mail address',
    de: 'darf nicht der Benutzername oder die E-Mail-Adresse sein',
  },
  password_repeats_characters: {
    en: 'must have at least {least} different characters',
    de: 'braucht mindestens {least} verschiedene Zeichen',
  },
  password_is_common: {
    en: 'must not be one of the most common passwords',
    de: 'darf keines der häufigsten Passwörter sein',
  },
  password_is_easy_to_guess: {
    en: 'must be more than a name or word that is easy to guess: your user name, e-mail address or company, or this service',
    de: 'muss mehr sein als ein Name oder Wort, das leicht zu erraten ist: Ihr Benutzername, Ihre E-Mail-Adresse oder Firma oder dieser Dienst',
  },
  not_current_password: { en: 'is not the current password', de: 'ist nicht Ihr jetziges Passwort' },
  name_or_email_required: {
    en: '/username or /email is required',
    de: 'Benutzername oder E-Mail-Adresse fehlt',
  },
  session_has_ended: {
    en: 'The session of this browser has ended: sign in again',
    de: 'Ihre Sitzung ist beendet: Melden Sie sich neu an',
  },
  refresh_token_is_spent: {
    en: 'The refresh token is no longer valid: sign in again',
    de: 'Das Refresh-Token gilt nicht mehr: Melden Sie sich neu an',
  },
  session_needs_console_header: {
    en: 'The session cookie is accepted only with the header x-millseal-console: 1, from a page of this server',
    de: 'Das Cookie der Sitzung gilt nur mit dem Header x-millseal-console: 1, von einer Seite dieses Servers',
  },
  send_code_of_authenticator: {
    en: 'Send the current code of this authenticator, or a recovery code, as code',
    de: 'Geben Sie den aktuellen Code dieses Authenticators ein oder einen Wiederherstellungscode',
  },
  only_operators_change_it: { en: '', de: 'Das ändern nur Betreiber dieses Dienstes' },
  cannot_deactivate_yourself: {
    en: '{place}: you cannot deactivate yourself',
    de: '{place}: Sie können sich nicht selbst deaktivieren',
  },
  only_the_user_changes_it: {
    en: '{place}: only the user can change it',
    de: '{place}: Das kann nur die Person selbst ändern',
  },
  too_many_new_addresses: {
    en: '{place}: you can enter at most {most} new addresses an hour',
    de: '{place}: Sie können in einer Stunde höchstens {most} neue Adressen eintragen',
  },

  company_name_has_character: {
    en: 'must be plain text without < and > and invisible characters; it has {character}',
    de: 'muss Text ohne < und > und ohne unsichtbare Zeichen sein; es enthält {character}',
  },
  company_limit: {
    en: 'You can own {most} companies that are not verified, and those you deleted in the last 30 days count too: wait for their reviews',
    de: 'Sie können {most} unbestätigte Firmen haben, und in den letzten 30 Tagen gelöschte zählen mit: Warten Sie auf ihre Prüfung',
  },
  rejection_needs_reason: {
    en: 'is required when a company is rejected',
    de: 'fehlt: Die Ablehnung einer Firma braucht einen Grund',
  },
  only_for_rejection: {
    en: 'is only for a rejection',
    de: 'gibt es nur bei einer Ablehnung',
  },
  only_for_verification: {
    en: 'is only to verify a company',
    de: 'gibt es nur, um eine Firma zu bestätigen',
  },
  company_has_similar_name: {
    en: '{name} (VAT id {vatId}, {country}) is verified or was',
    de: '{name} (Umsatzsteuer-ID {vatId}, {country}) ist bestätigt oder war es',
  },
  cannot_review_own_company: {
    en: 'You cannot review a company you belong to',
    de: 'Sie können keine Firma prüfen, zu der Sie gehören',
  },
  company_has_no_other_admin: {
    en: '{company} has no other admin: make another member an admin, or delete the company',
    de: '{company} hat keinen anderen Administrator: Machen Sie ein anderes Mitglied dazu, oder löschen Sie die Firma',
  },
  invitations_of_unverified_limit: {
    en: 'Until your companies are verified, you and each VAT id can invite {most} people within {days} days, also if a company was deleted',
    de: 'Bis Ihre Firmen bestätigt sind, können Sie und jede Umsatzsteuer-ID in {days} Tagen {most} Personen einladen, auch über gelöschte Firmen hinweg',
  },
  invitations_limit: {
    en: 'At most {most} invitations a day',
    de: 'Höchstens {most} Einladungen am Tag',
  },
  required_without_account: {
    en: 'is required, because this address has no confirmed account',
    de: 'fehlt: Zu dieser Adresse gibt es kein bestätigtes Konto',
  },
  vat_id_of_unreviewed: {
    en: 'The operator of this service has not reviewed that company yet. If it is not yours, ask the operator to reject it: you can then create yours',
    de: 'Der Betreiber dieses Dienstes hat diese Firma noch nicht geprüft. Ist es nicht Ihre, bitten Sie ihn, sie abzulehnen: Dann können Sie Ihre anlegen',
  },
  vat_id_not_in_register: {
    en: '{place}: It is not in the VAT register',
    de: '{place}: Sie steht nicht im Register für Umsatzsteuer-IDs',
  },
  vat_id_too_long: {
    en: '{place}: It is longer than any VAT id',
    de: '{place}: Sie ist länger als jede Umsatzsteuer-ID',
  },
  vat_id_without_country: {
    en: '{place}: It has to begin with the two letters of its country',
    de: '{place}: Sie beginnt mit den zwei Buchstaben des Landes',
  },
  vat_id_of_unknown_country: {
    en: '{place}: VAT ids of {country} are unknown',
    de: '{place}: Umsatzsteuer-IDs aus {country} sind unbekannt',
  },
  vat_id_malformed: {
    en: '{place}: VAT ids of {country} look like {example}',
    de: '{place}: Umsatzsteuer-IDs aus {country} sehen so aus: {example}',
  },
  vat_id_check_digits: {
    en: '{place}: Its check digits do not fit',
    de: '{place}: Ihre Prüfziffern stimmen nicht',
  },

  not_among_failed_jobs: {
    en: 'is not among the failed jobs',
    de: 'gehört zu keiner fehlgeschlagenen Aufgabe mehr',
  },
  mails_are_sent: {
    en: 'SMTP_URL is set, so mails are not saved as files',
    de: 'SMTP_URL ist gesetzt, deshalb werden E-Mails nicht als Dateien gespeichert',
  },
  unsubscribe_form: {
    en: '/List-Unsubscribe must be One-Click, or /stop one of: company, all, none',
    de: '/List-Unsubscribe muss One-Click sein oder /stop eines von diesen Wörtern: company (die Firma), all (alle), none (niemand)',
  },
} as const satisfies Entries
