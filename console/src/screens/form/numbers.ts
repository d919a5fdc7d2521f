/**
 * Reads a number that a person wrote and writes it with a point: `0,17`, `1.234,5`, `1 234.5`. Undefined if it is
 * none.
 */
export const readNumber = (text: string): string | undefined => {
  const tight = text
    .trim()
    .replaceAll(/[\s\u00A0\u202F'’]/g, '')
    .replace('−', '-')
  const [comma, point] = [tight.lastIndexOf(','), tight.lastIndexOf('.')]
  const plain = comma > point ? tight.replaceAll('.', '').replace(',', '.') : tight.replaceAll(',', '')
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(plain) && tight !== ''
    ? plain.replace(/^\+/, '')
    : undefined
}

/** Writes a number with a comma where that is usual. */
export const showNumber = (plain: string | number, comma: boolean): string =>
  comma ? String(plain).replace('.', ',') : String(plain)
