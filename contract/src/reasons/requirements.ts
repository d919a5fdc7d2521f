import type { Entries } from './entries.ts'

/** What a requirement says that cannot be checked, and what a check finds. Numbers stand as in the file. */
export const requirements = {
  requirement_number_form: {
    en: 'must be a decimal as text: "0.20"',
    de: 'muss eine Dezimalzahl als Text sein: "0.20"',
  },
  requirement_of_or_any: { en: 'needs "of", or "anyOf" alone', de: 'braucht „of“, oder allein „anyOf“' },
  requirement_unclear: {
    en: '"{name}" has several meanings: write {choice}',
    de: '„{name}“ ist mehrdeutig: Schreiben Sie {choice}',
  },
  requirement_spelling: { en: 'is written {name}', de: 'schreibt sich {name}' },
  requirement_pointer: {
    en: 'of a JSON pointer, only min, max and oneOf can be required',
    de: 'Mit einem JSON-Pointer gehen nur min, max und oneOf',
  },
  requirement_not_calculated: {
    en: 'only CEV, CET and Pcm are calculated',
    de: 'Berechnet werden nur CEV, CET und Pcm',
  },
  requirement_needs_unit: {
    en: '{name} needs a unit: {choice}',
    de: '{name} braucht eine Einheit: {choice}',
  },
  requirement_unit: { en: 'is not a unit of {name}: {choice}', de: 'ist keine Einheit von {name}: {choice}' },
  requirement_dimension: { en: 'must name a dimension: {choice}', de: 'muss ein Maß nennen: {choice}' },
  requirement_empty_range: {
    en: 'is empty: {low} is not below {high}',
    de: 'ist leer: {low} liegt nicht unter {high}',
  },
  requirement_limit: {
    en: 'A company can have {most} requirements',
    de: 'Eine Firma kann {most} Anforderungen haben',
  },
  requirement_unknown: {
    en: 'is neither the name nor the hash of a requirement of the company',
    de: 'ist weder Name noch Hashwert einer Anforderung der Firma',
  },
  check_needs_certificate: {
    en: 'Send either certificate or id',
    de: 'Senden Sie entweder certificate oder id',
  },
  check_needs_requirement: {
    en: 'Send either requirement or against',
    de: 'Senden Sie entweder requirement oder against',
  },
  decision_needs_reason: { en: 'needs a reason', de: 'braucht einen Grund' },
  entry_not_met: { en: '{name} does not meet everything', de: '{name} erfüllt nicht alles' },
  entry_decided: { en: '{name} is decided already', de: 'Über {name} ist schon entschieden' },
  requirement_includes_unknown: {
    en: 'is not a requirement of the company: {name}',
    de: 'ist keine Anforderung der Firma: {name}',
  },
  requirement_includes_itself: { en: '{name} includes itself', de: '{name} schließt sich selbst ein' },
  requirement_too_many: {
    en: 'brings together more than {most} requirements',
    de: 'fasst mehr als {most} Anforderungen zusammen',
  },

  check_above: {
    en: '{property} {value} is above the maximum {limit}{about}',
    de: '{property} {value} liegt über dem Höchstwert {limit}{about}',
  },
  check_below: {
    en: '{property} {value} is below the minimum {limit}{about}',
    de: '{property} {value} liegt unter dem Mindestwert {limit}{about}',
  },
  check_missing: {
    en: '{property} is not on the certificate{about}',
    de: '{property} fehlt im Zeugnis{about}',
  },
  check_name: {
    en: '{property} is required, but the certificate only says {printed}{about}',
    de: '{property} ist verlangt, das Zeugnis sagt nur {printed}{about}',
  },
  check_unit: {
    en: '{property} is printed in {printed}, which is not converted to {unit}{about}',
    de: '{property} ist in {printed} gedruckt, was nicht in {unit} umgerechnet wird{about}',
  },
  check_no_unit: {
    en: '{property} {value} is printed without a unit{about}',
    de: '{property} {value} ist ohne Einheit gedruckt{about}',
  },
  check_not_number: {
    en: '{property} {value} is not a number{about}',
    de: '{property} {value} ist keine Zahl{about}',
  },
  check_open: {
    en: '{property} {value} does not say whether {limit} is met{about}',
    de: '{property} {value} sagt nicht, ob {limit} eingehalten ist{about}',
  },
  check_condition: {
    en: '{property} is required at {required}; the certificate has it at {printed}{about}',
    de: '{property} ist bei {required} verlangt; das Zeugnis hat den Wert bei {printed}{about}',
  },
  check_no_condition: {
    en: '{property} is required at {required}; the certificate does not say at what it was tested{about}',
    de: '{property} ist bei {required} verlangt; das Zeugnis nennt keine Prüfbedingung{about}',
  },
  check_no_singles: {
    en: 'the single values of {property} are not printed{about}',
    de: 'die Einzelwerte von {property} sind nicht gedruckt{about}',
  },
  check_too_many_below: {
    en: '{count} values of {property} are below {limit}, and {most} may be{about}',
    de: '{count} Werte von {property} liegen unter {limit}, erlaubt sind {most}{about}',
  },
  check_no_elements: {
    en: '{property} cannot be calculated without {elements}{about}',
    de: '{property} lässt sich ohne {elements} nicht berechnen{about}',
  },
  check_taken_as_0: {
    en: '{elements}: not printed, taken as 0',
    de: '{elements}: nicht gedruckt, als 0 gerechnet',
  },
  check_not_one_of: {
    en: '{property} {value} is not one of {allowed}{about}',
    de: '{property} {value} ist nicht einer von {allowed}{about}',
  },
  check_depends: {
    en: '{property} depends on {dimension}, which is not clear from the certificate',
    de: '{property} hängt vom Maß {dimension} ab, das im Zeugnis nicht eindeutig steht',
  },
  check_sizes: {
    en: '{reason}, if it belongs to the part with {dimension} {value}: the certificate has several',
    de: '{reason}, falls der Wert zum Teil mit {dimension} {value} gehört: Das Zeugnis hat mehrere',
  },
  check_no_rule: {
    en: 'the requirement has no rule for {property} at {value}',
    de: 'die Anforderung hat keine Regel für {property} bei {value}',
  },
  check_none_met: {
    en: 'none of {alternatives} is met{about}',
    de: 'keines von {alternatives} ist erfüllt{about}',
  },
  check_none_known: {
    en: 'none of {alternatives} is known to be met{about}',
    de: 'ob eines von {alternatives} erfüllt ist, ist nicht bekannt{about}',
  },
  property_document: { en: 'type of document', de: 'Art der Bescheinigung' },
  property_order: { en: 'order', de: 'Bestellung' },
  property_heat: { en: 'heat', de: 'Schmelze' },
} as const satisfies Entries
