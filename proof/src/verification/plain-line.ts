/** Makes text from a stranger safe to print: no line breaks, no terminal escapes, no text direction marks. */
export const plainLine = (text: string, longest = 500): string => {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line
}
