import type { Entries } from './entries.ts'

/** What is wrong or unusual at a place in a certificate: first what its schema says. */
export const findings = {
  schema_required: { en: 'is missing "{name}"', de: '„{name}“ fehlt' },
  schema_not_allowed: { en: 'must not contain "{name}"', de: 'darf „{name}“ nicht enthalten' },
  schema_type: { en: 'must be {type}', de: 'muss {type} sein' },
  type_string: { en: 'a string', de: 'ein Text' },
  type_number: { en: 'a number', de: 'eine Zahl ohne Anführungszeichen' },
  type_integer: { en: 'an integer', de: 'eine ganze Zahl' },
  type_boolean: { en: 'a boolean', de: 'true oder false' },
  type_array: { en: 'an array', de: 'eine Liste' },
  type_object: { en: 'an object', de: 'eine Gruppe von Feldern' },
  type_null: { en: 'a null', de: 'null' },
  either_type: { en: '{one} or {other}', de: '{one} oder {other}' },
  schema_enum: { en: 'must be one of {allowed}', de: 'muss einer von diesen Werten sein: {allowed}' },
  schema_const: { en: 'must be {value}', de: 'muss {value} sein' },
  schema_format: {
    en: 'must be a valid {format}',
    de: ({ format }) => germanFormats.get(String(format)) ?? 'hat nicht das Format „{format}“',
  },
  schema_pattern: { en: 'does not match the required pattern', de: 'hat nicht die verlangte Form' },
  schema_min_length: {
    en: 'must not have fewer than {limit} characters',
    de: ({ limit }) => (limit === 1 ? 'darf nicht leer sein' : 'braucht mindestens {limit} Zeichen'),
  },
  schema_max_length: {
    en: 'must not have more than {limit} characters',
    de: 'darf höchstens {limit} Zeichen haben',
  },
  schema_min_items: {
    en: 'must not have fewer than {limit} items',
    de: ({ limit }) => (limit === 1 ? 'darf nicht leer sein' : 'braucht mindestens {limit} Einträge'),
  },
  schema_max_items: {
    en: 'must not have more than {limit} items',
    de: ({ limit }) =>
      limit === 1 ? 'darf höchstens einen Eintrag haben' : 'darf höchstens {limit} Einträge haben',
  },
  schema_min_properties: {
    en: 'must not have fewer than {limit} properties',
    de: ({ limit }) => (limit === 1 ? 'darf nicht leer sein' : 'braucht mindestens {limit} Felder'),
  },
  schema_max_properties: {
    en: 'must not have more than {limit} properties',
    de: ({ limit }) =>
      limit === 1 ? 'darf höchstens ein Feld haben' : 'darf höchstens {limit} Felder haben',
  },
  schema_range: {
    en: 'must be {comparison} {limit}',
    de: ({ comparison }) =>
      String(comparison).startsWith('>') ? 'muss mindestens {limit} sein' : 'darf höchstens {limit} sein',
  },
  schema_multiple: { en: 'must be multiple of {divisor}', de: 'muss ein Vielfaches von {divisor} sein' },
  schema_unique: {
    en: 'must not contain the same item twice',
    de: 'darf keinen Eintrag zweimal enthalten',
  },
  schema_contains: {
    en: 'must contain at least {least} valid item(s)',
    de: 'braucht mindestens {least} passende Einträge',
  },
  schema_contains_between: {
    en: 'must contain at least {least} and no more than {most} valid item(s)',
    de: 'braucht {least} bis {most} passende Einträge',
  },
  schema_alternatives: { en: '{rule}', de: 'passt zu keiner der erlaubten Möglichkeiten' },
  schema_not: { en: 'must not be valid', de: 'ist so nicht erlaubt' },
  schema_nothing: { en: 'is not allowed here', de: 'ist hier nicht erlaubt' },
  schema_other: { en: '{rule}', de: 'entspricht nicht dem Schema' },
  schema_too_complex: {
    en: 'is too complex to check against its schema',
    de: 'ist zu verschachtelt für eine Prüfung nach dem Schema',
  },

  too_long_for_paper: {
    en: 'is too long for paper: it has {count} {what}, and {most} can be printed',
    de: 'ist zu lang für Papier: Es hat {count} {what}, und {most} lassen sich drucken',
  },
  paper_texts: { en: 'texts', de: 'Texte' },
  paper_characters: { en: 'characters', de: 'Zeichen' },
  paper_others: {
    en: 'marks and characters of scripts other than Latin, Greek and Cyrillic',
    de: 'Zeichen anderer Schriften als Latein, Griechisch und Kyrillisch',
  },
  paper_lines: { en: 'lines', de: 'Zeilen' },

  no_inspector: {
    en: 'does not name the person responsible for the inspection (EN 10204)',
    de: 'nennt den Abnahmebeauftragten nicht (EN 10204)',
  },
  no_declaration: {
    en: 'does not declare that the product conforms to the order (EN 10204)',
    de: 'erklärt nicht, dass das Erzeugnis der Bestellung entspricht (EN 10204)',
  },
  no_order: { en: 'does not refer to an order (EN 10204)', de: 'nennt keine Bestellung (EN 10204)' },
  no_heat: {
    en: 'does not name the heat or batch that the results belong to (EN 10204)',
    de: 'nennt die Schmelze oder Charge der Ergebnisse nicht (EN 10204)',
  },
  no_due_diligence: {
    en: 'is missing: nobody declares that due diligence was exercised',
    de: 'fehlt: Niemand erklärt, dass die Sorgfaltspflicht erfüllt wurde',
  },
  no_places_of_harvest: {
    en: 'is missing: neither places of harvest nor references to statements or passports that name them',
    de: 'fehlt: Es nennt weder Orte des Einschlags noch Erklärungen oder Pässe, die sie nennen',
  },
  no_species: { en: 'contains a product without a species', de: 'enthält ein Erzeugnis ohne Baumart' },
  names_other_seller: {
    en: 'names {name} as its {role}; your company is {company}',
    de: 'nennt als {role}: {name}; Ihre Firma ist {company}',
  },
  seller_by_vat_id: { en: 'VAT id {vatId}', de: 'Umsatzsteuer-ID {vatId}' },
  role_seller: { en: 'seller', de: 'Verkäufer' },
  role_supplier: { en: 'supplier', de: 'Lieferant' },
  role_manufacturer: { en: 'manufacturer', de: 'Hersteller' },
} as const satisfies Entries

const germanFormats: ReadonlyMap<string, string> = new Map([
  ['date', 'muss ein Datum wie 2026-11-22 sein'],
  ['date-time', 'muss ein Zeitpunkt wie 2026-11-22T09:14:00Z sein'],
  ['uri', 'muss eine Webadresse sein'],
  ['url', 'muss eine Webadresse sein'],
  ['email', 'muss eine E-Mail-Adresse sein'],
])
