import type { Entries } from './entries.ts'

const position = ' at line {line}, column {column}'

const at = <E extends string>(en: E, de: string) =>
  ({ en: `${en}${position}`, de: `${de}, Zeile {line}, Spalte {column}` }) as const

/** Why a text is no JSON, and where. The English words are the faults of the reader in `proof/`. */
export const json = {
  json_empty: at('The text is empty', 'Der Text ist leer'),
  json_not_utf8: at('The text is not valid UTF-8', 'Der Text ist kein gültiges UTF-8'),
  pdf_read_as_text: {
    en: 'This is a PDF that a program read as text, which damaged it: send its bytes as application/pdf, or as the file of a form',
    de: 'Dies ist ein PDF, das ein Programm als Text gelesen und dabei beschädigt hat: Senden Sie seine Bytes als application/pdf oder als Datei eines Formulars',
  },
  json_goes_on: at('Unexpected text after the end', 'Nach dem Ende folgt noch Text'),
  json_ends_early: at('Unexpected end of the text', 'Der Text endet zu früh'),
  json_unexpected_character: at('Unexpected character', 'Dieses Zeichen ist hier nicht erlaubt'),
  json_key_expected: at(
    'Expected a key in double quotes',
    'Hier fehlt ein Name in doppelten Anführungszeichen',
  ),
  json_either_expected: at('Expected "," or "{character}"', 'Hier fehlt „,“ oder „{character}“'),
  json_character_expected: at('Expected "{character}"', 'Hier fehlt „{character}“'),
  json_duplicate_key: at('Duplicate key {key}', 'Der Name {key} kommt zweimal vor'),
  json_forbidden_key: at('The key "__proto__" is not allowed', 'Der Name "__proto__" ist nicht erlaubt'),
  json_too_deep: at('Deeper than {most} levels', 'Mehr als {most} Ebenen'),
  json_unfinished_string: at('Unfinished string', 'Ein Text hat kein Anführungszeichen am Ende'),
  json_control_character: at('Control character in a string', 'Ein Text enthält ein Steuerzeichen'),
  json_lone_surrogate: at('Lone surrogate in a string', 'Ein Text enthält ein halbes Zeichen (Surrogat)'),
  json_nul: at('The character U+0000 is not allowed', 'Das Zeichen U+0000 ist nicht erlaubt'),
  json_malformed_escape: at('Malformed \\u escape', 'Nach \\u fehlen vier Ziffern'),
  json_unknown_escape: at('Unknown escape', 'Nach \\ steht ein unbekanntes Zeichen'),
  json_inexact_number: at(
    'The number {number} cannot be held exactly',
    'Die Zahl {number} lässt sich nicht genau speichern',
  ),
} as const satisfies Entries

type Code = keyof typeof json
type FaultOf<E extends string> = E extends `${infer F}${typeof position}` ? F : never
export type JsonFault = FaultOf<(typeof json)[Code]['en']>

const codes = new Map(
  Object.entries(json).map(([code, { en }]) => [en.slice(0, -position.length), code as Code]),
)

export const jsonCodeOf = (fault: JsonFault): Code => codes.get(fault) ?? 'json_unexpected_character'
