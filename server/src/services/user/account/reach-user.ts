import type { UserPrincipal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'

/** The id in the spelling of the records. Who else there is, is told to operators of the platform alone. */
export const reachableUser = (principal: UserPrincipal, id: string): string => {
  const userId = id.toLowerCase()
  if (userId !== principal.id && principal.role !== 'ADMIN') throw new Problem('not_found')
  return userId
}
