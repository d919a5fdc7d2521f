import type { Company, Review, ReviewEvidence } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'

export type ReviewState = 'verified' | 'waiting' | 'rejected'

const refreshMs = 5_000

/** Newest first. */
const readReviews = async (company: string): Promise<readonly Review[]> => {
  const reviews = await api.listReviews({ params: { id: company }, query: { limit: 1_000 } })
  return reviews.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
}

export const useReviews = (company: string) => {
  const { membership } = useHere()
  return useQuery({
    queryKey: ['reviews', company],
    queryFn: () => readReviews(company),
    // The company can be known to be verified before its review was read.
    refetchInterval: ({ state: { data } }) =>
      membership?.company.verified === true && data?.[0]?.decision === 'verified' ? false : refreshMs,
  })
}

export const reviewStateOf = (
  { verified }: Company,
  reviews: readonly Review[] | undefined,
): ReviewState | undefined => {
  if (verified) return 'verified'
  if (reviews === undefined) return undefined
  return reviews[0]?.decision === 'rejected' ? 'rejected' : 'waiting'
}

/** A register that was not asked did not fail to answer. */
export const registerFinding = ({
  register,
  checkedAt,
}: ReviewEvidence): ReviewEvidence['register'] | 'unasked' =>
  register === 'unknown' && checkedAt === undefined ? 'unasked' : register
