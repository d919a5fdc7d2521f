/** What a stranger wrote cannot pose as a line of ours: no line ends, no commands to a terminal, no text turned around. */
export const plainLine = (text: string, longest = 500): string => {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line
}
