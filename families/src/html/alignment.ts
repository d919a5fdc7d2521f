const figureSpace = '\u2007'
/** As wide as the decimal sign of tabular figures. */
const punctuationSpace = '\u2008'

/** Pads the numbers of a column with digit-wide spaces so that their decimal signs line up. */
export const alignDecimals = (cells: readonly string[]): readonly string[] => {
  const fractions = cells.map(fractionOf)
  const longest = Math.max(0, ...fractions.map((fraction) => fraction ?? 0))
  if (longest === 0) return cells
  return cells.map((cell, index) => {
    const fraction = fractions[index]
    if (fraction === undefined || fraction === longest) return cell
    const sign = fraction === 0 ? punctuationSpace : ''
    return cell + sign + figureSpace.repeat(longest - fraction)
  })
}

/** The number of digits after the decimal sign; undefined if the text is not a plain number. */
const fractionOf = (cell: string): number | undefined => {
  const found = /^[^\d\s]{0,2}\s?\d+(?:[.,](\d{1,12}))?$/.exec(cell)
  return found === null ? undefined : (found[1]?.length ?? 0)
}
