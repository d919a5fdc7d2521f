import type { Sentences } from '../in-words.ts'

/** Why a text is no JSON, and where. */
export const json: Sentences = [
  [/^The text is empty$/, 'Der Text ist leer'],
  [/^The text is not valid UTF-8$/, 'Der Text ist kein gültiges UTF-8'],
  [/^Unexpected text after the end$/, 'Nach dem Ende folgt noch Text'],
  [/^Unexpected end of the text$/, 'Der Text endet zu früh'],
  [/^Unexpected character$/, 'Dieses Zeichen ist hier nicht erlaubt'],
  [/^Expected a key in double quotes$/, 'Hier fehlt ein Name in doppelten Anführungszeichen'],
  [/^Expected "(.)" or "(.)"$/, 'Hier fehlt „$1“ oder „$2“'],
  [/^Expected "(.)"$/, 'Hier fehlt „$1“'],
  [/^Duplicate key (.+)$/, 'Der Name $1 kommt zweimal vor'],
  [/^The key (.+) is not allowed$/, 'Der Name $1 ist nicht erlaubt'],
  [/^Deeper than (\d+) levels$/, 'Mehr als $1 Ebenen'],
  [/^Unfinished string$/, 'Ein Text hat kein Anführungszeichen am Ende'],
  [/^Control character in a string$/, 'Ein Text enthält ein Steuerzeichen'],
  [/^Lone surrogate in a string$/, 'Ein Text enthält ein halbes Zeichen (Surrogat)'],
  [/^The character U\+0000 is not allowed$/, 'Das Zeichen U+0000 ist nicht erlaubt'],
  [/^Malformed \\u escape$/, 'Nach \\u fehlen vier Ziffern'],
  [/^Unknown escape$/, 'Nach \\ steht ein unbekanntes Zeichen'],
  [/^The number (.+) cannot be held exactly$/, 'Die Zahl $1 lässt sich nicht genau speichern'],
  [/^(.+) at line (\d+), column (\d+) \((\/.*)\)$/s, '$1 (Zeile $2, Spalte $3, in $4)'],
  [/^(.+) at line (\d+), column (\d+)$/s, '$1 (Zeile $2, Spalte $3)'],
]
