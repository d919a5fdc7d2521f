export type Claimed<T> = {
  readonly claimed: readonly T[]
  /** The last company that the claim looked at; undefined if no other can come after it. */
  readonly lookedUpTo: string | undefined
}

type Turn<T> = {
  readonly claimed: readonly T[]
  /** Whether another claim at once may find more. */
  readonly mayBeMore: boolean
}

/**
 * Lets companies take turns over several claims: each claim continues after the companies of the one before, and after
 * the last company the first has its turn again.
 */
export const takeTurns = <T extends { readonly companyId: string }>(
  claim: (limit: number, afterCompany: string | undefined) => Promise<Claimed<T>>,
): ((limit: number) => Promise<Turn<T>>) => {
  let afterCompany: string | undefined
  let isRoundEmpty = true
  return async (limit) => {
    const isFromFirst = afterCompany === undefined
    if (isFromFirst) isRoundEmpty = true
    const { claimed, lookedUpTo } = await claim(limit, afterCompany)
    if (claimed.length > 0) isRoundEmpty = false
    const companies = claimed.map(({ companyId }) => companyId).toSorted()
    afterCompany = claimed.length === limit ? companies.at(-1) : lookedUpTo
    return { claimed, mayBeMore: afterCompany !== undefined || !(isFromFirst || isRoundEmpty) }
  }
}
