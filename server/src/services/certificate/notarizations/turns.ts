type Waiting = { readonly companyId: string }
type Claimed<T> = {
  readonly claimed: readonly T[]
  /** Whether another claim at once may find more. */
  readonly mayBeMore: boolean
}

/**
 * Lets companies take turns over several claims: one that used its limit is followed by a claim from the companies after
 * it; any other by one from all.
 */
export const takeTurns = <T extends Waiting>(
  claim: (limit: number, afterCompany: string | undefined) => Promise<readonly T[]>,
): ((limit: number) => Promise<Claimed<T>>) => {
  let afterCompany: string | undefined
  return async (limit) => {
    const leftSomeOut = afterCompany !== undefined
    const claimed = await claim(limit, afterCompany)
    const companies = claimed.map(({ companyId }) => companyId).toSorted()
    afterCompany = claimed.length === limit ? companies.at(-1) : undefined
    return { claimed, mayBeMore: claimed.length > 0 || leftSomeOut }
  }
}
