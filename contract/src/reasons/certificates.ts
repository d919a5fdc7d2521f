import type { Entries } from './entries.ts'

/** Why a certificate cannot be read, submitted, rendered, corrected or found. */
export const certificates = {
  certificate_too_large: {
    en: 'The certificate is too large: {bytes} bytes (maximum {most})',
    de: 'Das Zeugnis ist zu groß: {bytes} von höchstens {most} Bytes',
  },
  certificate_not_object: {
    en: 'A certificate must be a JSON object',
    de: 'Ein Zeugnis muss ein JSON-Objekt sein',
  },
  certificate_has_too_many_values: {
    en: 'The certificate contains more than {most} values',
    de: 'Das Zeugnis enthält mehr als {most} Werte',
  },
  object_has_too_many_keys: {
    en: 'An object has more than {most} keys',
    de: 'Eine Gruppe hat mehr als {most} Felder',
  },
  key_too_long: {
    en: 'A key is longer than {most} characters',
    de: 'Der Name eines Feldes hat mehr als {most} Zeichen',
  },
  must_be_schema_url: { en: 'must be the URL of a schema', de: 'muss die Adresse eines Schemas sein' },
  schema_unknown_here: {
    en: 'is not a known schema: GET /certificates/schemas lists the supported ones',
    de: 'nennt kein Schema, das hier bekannt ist',
  },
  schema_nearest: { en: 'is nearest to {url}', de: 'ist am ähnlichsten {url}' },
  schema_can_be_added: {
    en: 'can be added by the operator of the service: millseal schemas add <folder or archive with the schema>',
    de: 'kann der Betreiber dieses Dienstes hinzufügen (millseal schemas add)',
  },
  form_unknown: {
    en: 'has no such params/version: GET /certificates/schemas lists the supported ones',
    de: 'Diese Version des Formulars gibt es nicht',
  },

  own_needs_review: {
    en: 'needs a verified company: the operator of this service has not reviewed your VAT id',
    de: 'geht erst, wenn Ihre Firma bestätigt ist: Der Betreiber dieses Dienstes hat Ihre Umsatzsteuer-ID noch nicht geprüft',
  },
  own_names_no_vat_id: {
    en: 'needs a certificate that names its seller with a VAT id; this one names none',
    de: 'geht nur mit einem Zeugnis, das seinen Verkäufer mit Umsatzsteuer-ID nennt; dieses nennt keine',
  },
  own_names_other_vat_id: {
    en: 'needs your VAT id {yours} in the certificate, with the letters of the country; as its seller it names {named}',
    de: 'geht nur, wenn das Zeugnis Ihre Umsatzsteuer-ID {yours} samt Ländercode nennt; als Verkäufer nennt es {named}',
  },
  own_first_is_named: {
    en: 'is not possible, because the certificate also names the company that recorded it: {company}',
    de: 'geht nicht, weil das Zeugnis auch die Firma nennt, die es eingetragen hat: {company}',
  },
  seal_expired: {
    en: 'The certificate of the seal of {signer} expired on {day}: give the service a new one',
    de: 'Das Zertifikat des Siegels von {signer} ist am {day} abgelaufen: Der Dienst braucht ein neues',
  },
  seal_not_yet_valid: {
    en: 'The certificate of the seal of {signer} is not valid before {day}',
    de: 'Das Zertifikat des Siegels von {signer} gilt erst ab dem {day}',
  },
  seal_key_other: {
    en: 'The key of the seal of {signer} is not that of its certificate',
    de: 'Der Schlüssel des Siegels von {signer} gehört nicht zu seinem Zertifikat',
  },
  sealed_by: {
    en: 'The PDF was sealed by {signer} (certificate of {issuer}) on {time}, PAdES {level}. The seal itself was not checked here: a PDF reader or millseal verify does that',
    de: 'Das PDF wurde am {time} von {signer} gesiegelt (Aussteller des Zertifikats: {issuer}), PAdES {level}. Das Siegel selbst wurde hier nicht geprüft: Das kann ein PDF-Programm oder millseal verify',
  },
  sealed_by_somebody: {
    en: 'The PDF has a seal, which was not checked here: a PDF reader or millseal verify does that',
    de: 'Das PDF hat ein Siegel, das hier nicht geprüft wurde: Das kann ein PDF-Programm oder millseal verify',
  },
  release_refused: {
    en: '{name} refused the release: {reason}',
    de: '{name} hat die Freigabe verweigert: {reason}',
  },
  taken_back: { en: '{name} took it back: {reason}', de: '{name} hat es zurückgenommen: {reason}' },
  release_too_late: {
    en: 'Nobody released it within {days} days',
    de: 'Niemand hat es innerhalb von {days} Tagen freigegeben',
  },
  needs_approver: {
    en: 'An application submitted it: an approver must release it, because admins may know the secret of the application',
    de: 'Eine Anwendung hat es eingereicht: Freigeben kann es nur ein Freigeber, weil Administratoren das Geheimnis der Anwendung kennen können',
  },
  recorded_first: {
    en: '{company} recorded this certificate on {time}, in transaction {transaction}. If it names your company as its seller, record your own entry: submit it again with own=true',
    de: '{company} hat dieses Zeugnis am {time} eingetragen, in der Transaktion {transaction}. Nennt es Ihre Firma als Verkäufer, machen Sie einen eigenen Eintrag: Reichen Sie es noch einmal mit own=true ein',
  },
  also_recorded_by: {
    en: '{name} recorded the same certificate as well, on {time}',
    de: '{name} hat dasselbe Zeugnis auch eingetragen, am {time}',
  },

  review_taken_back: {
    en: 'The company of its issuer was reviewed from {from} to {to}; the operator took the review back on {at}: {reason}',
    de: 'Die Firma des Ausstellers war geprüft von {from} bis {to}; der Betreiber hat die Prüfung am {at} zurückgenommen: {reason}',
  },
  recorded_after_review: {
    en: 'It was recorded when the review of the company of its issuer had ended, on {to}; the operator took the review back on {at}: {reason}',
    de: 'Es wurde eingetragen, als die Prüfung der Firma des Ausstellers beendet war, am {to}; der Betreiber hat die Prüfung am {at} zurückgenommen: {reason}',
  },

  certificate_limit: {
    en: 'A company can submit {most} certificates a day (UTC): submit it again from {end} on',
    de: 'Ihre Firma kann am Tag (UTC) höchstens {most} Zeugnisse einreichen: Reichen Sie es ab {end} noch einmal ein',
  },
  certificate_limit_of_unverified: {
    en: 'A company that is not verified can submit {most} certificates a day (UTC): submit it again from {end} on',
    de: 'Eine unbestätigte Firma kann am Tag (UTC) höchstens {most} Zeugnisse einreichen: Reichen Sie es ab {end} noch einmal ein',
  },
  company_queue_full: {
    en: 'It has more than {minutes} minutes of work waiting: submit it again in {seconds} s',
    de: 'Für Ihre Firma wartet Arbeit für mehr als {minutes} Minuten: Reichen Sie es in {seconds} s noch einmal ein',
  },
  queue_of_all_full: {
    en: 'More than {minutes} minutes of work wait: submit it again in {seconds} s',
    de: 'Arbeit für mehr als {minutes} Minuten wartet: Reichen Sie es in {seconds} s noch einmal ein',
  },
  ledger_records_nothing: {
    en: 'The ledger of {mode} mode records nothing, and certificates wait for it for more than {minutes} minutes: submit it again in {seconds} s',
    de: 'Das Ledger trägt nichts ein, und Zeugnisse warten seit mehr als {minutes} Minuten: Reichen Sie es in {seconds} s noch einmal ein',
  },
  submitted_again: {
    en: 'The certificate was submitted again since',
    de: 'Das Zeugnis wurde inzwischen noch einmal eingereicht',
  },
  notarization_too_late: {
    en: 'The notarization did not succeed in time',
    de: 'Die Notarisierung ist nicht rechtzeitig gelungen',
  },

  must_be_other_certificate: {
    en: 'must be another certificate that the same company notarized in the same mode, and its notarization must be finished',
    de: 'muss ein anderes Zeugnis derselben Firma im selben Modus sein und fertig notarisiert',
  },
  must_not_be_corrected: {
    en: 'must be a certificate that is not withdrawn or replaced itself',
    de: 'darf selbst nicht zurückgezogen oder ersetzt sein',
  },
  must_not_be_replaced_by_this: {
    en: 'must be a certificate that is not being replaced by this one',
    de: 'darf nicht gerade durch dieses ersetzt werden',
  },
  already_replaced: {
    en: 'The certificate {id} replaces it: replace that one',
    de: 'Das Zeugnis {id} ersetzt es: Ersetzen Sie jenes',
  },
  being_replaced: {
    en: 'The certificate {id} will replace it as soon as it is notarized',
    de: 'Das Zeugnis {id} ersetzt es, sobald es notarisiert ist',
  },
  replaces_with_new: {
    en: 'needs a certificate that was not submitted before: replace by one that was with POST /certificates/{certificate}/replace',
    de: 'braucht ein Zeugnis, das noch nicht eingereicht war: Durch ein anderes ersetzen Sie mit POST /certificates/{certificate}/replace',
  },
  goes_only_with: {
    en: 'goes only together with {other}',
    de: 'geht nur zusammen mit {other}',
  },
  replaces_without_own: {
    en: 'cannot be combined with replaces',
    de: 'geht nicht zusammen mit replaces',
  },
  files_cost_too_much: {
    en: 'The files from this address take too much processor time: try again in {seconds} s',
    de: 'Die Dateien von dieser Adresse brauchen zu viel Rechenzeit: Versuchen Sie es in {seconds} s noch einmal',
  },
  received_after_review: {
    en: 'can be received after an operator of the service has reviewed the VAT id of the company',
    de: 'Empfangene Zeugnisse gibt es, sobald ein Betreiber die Umsatzsteuer-ID der Firma geprüft hat',
  },
  text_needs_letter: {
    en: 'must contain a letter or a digit',
    de: 'braucht einen Buchstaben oder eine Ziffer',
  },
  draft_is_html: {
    en: 'can be combined with type=html only',
    de: 'geht nur zusammen mit type=html',
  },

  name_of_several_alphabets: {
    en: 'The name {name} has letters of several alphabets: compare the VAT id',
    de: 'Der Name {name} hat Buchstaben mehrerer Alphabete: Vergleichen Sie die Umsatzsteuer-ID',
  },
  not_checked_here: {
    en: 'Not checked by Millseal: this service has no record of it',
    de: 'Nicht von Millseal geprüft: Dieser Dienst hat keinen Beleg dafür',
  },

  customer_limit: {
    en: 'The limit is {most}: delete one first',
    de: 'Höchstens {most} sind möglich: Löschen Sie erst einen',
  },
  look_limit: { en: 'The limit is {most}', de: 'Höchstens {most} sind möglich' },
  accent_unreadable: {
    en: 'has too little contrast on white: the nearest shade that can be read is {nearest}',
    de: 'hat auf Weiß zu wenig Kontrast: Der nächste lesbare Ton ist {nearest}',
  },
  part_not_optional: {
    en: 'must be one of {optional}, or a code from A10 to A95: all other parts make the certificate',
    de: 'muss einer von diesen Werten sein: {optional}, oder ein Code von A10 bis A95. Alle anderen Teile machen das Zeugnis aus',
  },
  must_be_receiver: {
    en: 'must be a VAT id or a mail domain',
    de: 'muss eine Umsatzsteuer-ID oder eine Domain für E-Mails sein',
  },
  must_be_vat_id: { en: 'must be a VAT id', de: 'muss eine Umsatzsteuer-ID sein' },
  must_be_did: { en: 'must be a did:key of Ed25519', de: 'muss eine did:key von Ed25519 sein' },
} as const satisfies Entries
