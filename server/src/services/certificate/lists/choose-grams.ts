/** Reading a certificate that the index proposes takes as long as reading so many entries of the index. */
const costOfCertificate = 40
/** Grams that are not common are short lists, of which two suffice: which of them the sample has is chance. */
const mostRare = 2

/** `common_grams` has those that one in sixteen certificates has. */
const oneInCommon = 16

/** Of several grams, those that are common: combined, they tell which blocks to skip. */
export const commonAmong = (grams: readonly string[], sample: readonly string[]): readonly string[] => {
  const common = grams.filter(
    (gram) => sample.filter((words) => ` ${words}`.includes(gram)).length * oneInCommon >= sample.length,
  )
  return common.length > 1 ? common : []
}

/**
 * The grams with which the index finds the words of a query soonest, given the words of some certificates of the company.
 * The lists of common grams take longest to read: one of them is used only if it spares reading certificates. Which
 * certificates are found does not depend on the choice, because their words are tested afterwards.
 */
export const chooseGrams = (grams: readonly string[], sample: readonly string[]): readonly string[] => {
  const texts = sample.map((words) => ` ${words}`)
  const having = (gram: string, among: readonly string[]) => among.filter((text) => text.includes(gram))
  const fromRare = grams
    .map((gram) => ({ gram, entries: having(gram, texts).length }))
    .toSorted((one, other) => one.entries - other.entries)
  const chosen: string[] = []
  let proposed: readonly string[] = texts
  for (const { gram, entries } of fromRare) {
    const left = having(gram, proposed)
    const isRare = entries * oneInCommon <= sample.length && chosen.length < mostRare
    const spares = (proposed.length - left.length) * costOfCertificate > entries
    if (chosen.length > 0 && !isRare && !spares) continue
    chosen.push(gram)
    proposed = left
  }
  return chosen
}
