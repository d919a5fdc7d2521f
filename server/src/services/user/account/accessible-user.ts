import type { UserPrincipal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'

/** Returns the id in the spelling of the records. Only operators may learn which other users exist. */
export const accessibleUserId = (principal: UserPrincipal, id: string): string => {
  const userId = id.toLowerCase()
  if (userId !== principal.id && principal.role !== 'ADMIN') throw new Problem('not_found')
  return userId
}
