import type { Entries } from './entries.ts'

/** What is wrong in a request: first what its schema says. */
export const requests = {
  is_required: { en: 'is required', de: 'fehlt' },
  must_have_type: { en: 'must be {type}', de: 'muss vom JSON-Typ {type} sein' },
  must_be_one_of: { en: 'must be one of: {allowed}', de: 'muss einer von diesen Werten sein: {allowed}' },
  must_be_constant: { en: 'must be equal to constant', de: 'muss der vorgegebene Wert sein' },
  must_have_format: { en: 'must match format "{format}"', de: 'hat nicht das Format „{format}“' },
  must_match_pattern: { en: 'must match pattern "{pattern}"', de: 'hat nicht die verlangte Form' },
  has_too_few_characters: {
    en: 'must NOT have fewer than {limit} characters',
    de: ({ limit }) => (limit === 1 ? 'darf nicht leer sein' : 'braucht mindestens {limit} Zeichen'),
  },
  has_too_many_characters: {
    en: 'must NOT have more than {limit} characters',
    de: 'darf höchstens {limit} Zeichen haben',
  },
  has_too_few_items: {
    en: 'must NOT have fewer than {limit} items',
    de: ({ limit }) => (limit === 1 ? 'darf nicht leer sein' : 'braucht mindestens {limit} Einträge'),
  },
  has_too_many_items: {
    en: 'must NOT have more than {limit} items',
    de: ({ limit }) =>
      limit === 1 ? 'darf höchstens einen Eintrag haben' : 'darf höchstens {limit} Einträge haben',
  },
  has_too_few_properties: {
    en: 'must NOT have fewer than {limit} properties',
    de: ({ limit }) => (limit === 1 ? 'darf nicht leer sein' : 'braucht mindestens {limit} Felder'),
  },
  has_too_many_properties: {
    en: 'must NOT have more than {limit} properties',
    de: ({ limit }) =>
      limit === 1 ? 'darf höchstens ein Feld haben' : 'darf höchstens {limit} Felder haben',
  },
  is_out_of_range: {
    en: 'must be {comparison} {limit}',
    de: ({ comparison }) =>
      String(comparison).startsWith('>') ? 'muss mindestens {limit} sein' : 'darf höchstens {limit} sein',
  },
  must_be_multiple: { en: 'must be multiple of {divisor}', de: 'muss ein Vielfaches von {divisor} sein' },
  has_item_twice: {
    en: 'must NOT have duplicate items (items ## {first} and {second} are identical)',
    de: 'darf keinen Eintrag zweimal enthalten',
  },
  has_unknown_property: { en: 'must NOT have additional properties', de: 'enthält ein unbekanntes Feld' },
  breaks_schema: { en: '{rule}', de: 'ist so nicht erlaubt' },

  must_be_time: { en: 'must be a time', de: 'muss ein Zeitpunkt sein' },
  must_not_be_in_future: { en: 'must not be in the future', de: 'darf nicht in der Zukunft liegen' },
  must_be: { en: 'must be {value}', de: 'muss {value} sein' },
  must_be_one_of_these: {
    en: 'must be one of {allowed}',
    de: 'muss einer von diesen Werten sein: {allowed}',
  },
  never_changes: { en: 'never changes', de: 'lässt sich nicht ändern' },
  must_not_contain_nul: { en: 'must not contain U+0000', de: 'darf U+0000 nicht enthalten' },
  is_given_twice: { en: 'is given twice', de: 'kommt zweimal vor' },
  send_media_type: { en: 'Send {accepted}', de: 'Senden Sie {accepted}' },
  body_has_most: { en: 'At most {most} bytes', de: 'Höchstens {most} Bytes' },
  certificate_has_most: {
    en: 'A certificate may have {most} MiB here, and a PDF to verify {pdf} MiB; the operator sets this with MILLSEAL_CERTIFICATE_MIB',
    de: 'Ein Zeugnis darf hier {most} MiB haben und ein PDF zum Prüfen {pdf} MiB; der Betreiber legt das mit MILLSEAL_CERTIFICATE_MIB fest',
  },
  body_is_required: {
    en: 'body is required: send the document, or a form with it',
    de: 'Der Inhalt fehlt: Senden Sie das Dokument oder ein Formular damit',
  },
  send_token: {
    en: 'Send the header authorization: Bearer <token>',
    de: 'Senden Sie den Header authorization: Bearer <token>',
  },
  send_refresh_token: {
    en: 'Send the refresh token in the header refresh: Bearer <token>',
    de: 'Senden Sie das Refresh-Token im Header refresh: Bearer <token>',
  },
  try_again_in: { en: 'Try again in {seconds} s', de: 'Versuchen Sie es in {seconds} s noch einmal' },
  only_version_is: { en: '{place}: the only version is 1', de: '{place}: Es gibt nur die Version 1' },
  must_be_idempotency_key: {
    en: 'must be {least} to {most} printable ASCII characters',
    de: 'muss {least} bis {most} druckbare ASCII-Zeichen haben',
  },
  form_of_this_page: {
    en: 'The form was not sent from this page',
    de: 'Das Formular wurde nicht von dieser Seite gesendet',
  },
  form_of_this_server: {
    en: 'The form was not sent from a page of this server',
    de: 'Das Formular wurde nicht von einer Seite dieses Servers gesendet',
  },

  needs_scope: { en: 'Needs the scope {scopes}', de: 'Dafür brauchen Sie die Berechtigung {scopes}' },
  needs_role: {
    en: 'Needs the role {needed}, the caller is {role}',
    de: 'Ihre Rolle in der Firma reicht dafür nicht',
  },
  session_has_one_factor: {
    en: 'This session was opened with one factor: sign in again',
    de: 'Diese Sitzung wurde mit einem Faktor begonnen: Melden Sie sich neu an',
  },
  needs_recent_sign_in: {
    en: 'Needs a {needed} within the last {minutes} minutes',
    de: 'Ihre Anmeldung muss jünger als {minutes} Minuten sein',
  },
  needs_company_header: {
    en: 'You belong to this company: send its id in the header company',
    de: 'Sie gehören zu dieser Firma: Tun Sie das in der Firma, nicht als Betreiber',
  },

  position_not_given: {
    en: 'No event has the position {position} yet, the last is {last}. If a backup was restored, begin again with an earlier position',
    de: 'Noch kein Ereignis hat die Position {position}, die letzte ist {last}. Wurde eine Sicherung eingespielt, beginnen Sie mit einer früheren Position',
  },

  stopping: { en: 'stopping', de: 'wird gerade beendet' },
  lacks_role: {
    en: 'this process does not have the role {role}: MILLSEAL_ROLES is {roles}',
    de: 'Dieser Prozess hat die Rolle {role} nicht: MILLSEAL_ROLES ist {roles}',
  },
  part_is_down: { en: '{part}: {why}', de: '{part}: {why}' },
} as const satisfies Entries
