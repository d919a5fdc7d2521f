/**
 * Shows characters that the font lacks by their code point: `[U+1F680]`. Drops control characters except line breaks; a
 * tab becomes a space.
 */
export const replaceUncovered = (text: string, covers: (codePoint: number) => boolean): string => {
  let result = ''
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    if (character === '\t') result += ' '
    else if (isControl(codePoint)) continue
    else if (character === '\n' || covers(codePoint)) result += character
    else result += `[U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}]`
  }
  return result
}

const isControl = (codePoint: number): boolean =>
  (codePoint < 0x20 && codePoint !== 0x0a) || (codePoint >= 0x7f && codePoint < 0xa0)
