import { atPlace, because, type Reason } from '@millseal/contract/reasons'
import {
  readRequirement,
  RequirementUnreadable,
  type ResolvedRequirement,
  resolveRequirement,
} from '@millseal/families'
import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import { findRequirementNamed } from './requirements.store.ts'

type Requirement = ReturnType<typeof readRequirement>

/** Reads what a client sent at this place, and throws with the fields that are wrong. */
export const readSent = (sent: unknown, place: string): Requirement => {
  try {
    return readRequirement(sent)
  } catch (error) {
    throw problemAt(error, place)
  }
}

/** With all that it includes of the company. */
export const resolveIn = async (
  query: Query,
  { requirement, companyId, place }: { requirement: Requirement; companyId: string; place: string },
): Promise<ResolvedRequirement> => {
  const find = async (nameOrHash: string): Promise<Requirement | undefined> => {
    // The version being kept is not stored yet, so that including itself would look like an unknown name.
    if (nameOrHash === requirement.name) return requirement
    const found = await findRequirementNamed(query, { companyId, nameOrHash })
    return found === undefined ? undefined : readRequirement(found.content)
  }
  try {
    return await resolveRequirement(requirement, find)
  } catch (error) {
    throw problemAt(error, place)
  }
}

/** Of the company, by its name or its hash. */
export const requireNamed = async (
  query: Query,
  about: { readonly companyId: string; readonly nameOrHash: string },
): Promise<Requirement> => {
  const found = await findRequirementNamed(query, about)
  if (found !== undefined) return readRequirement(found.content)
  throw new Problem('requirement_invalid', {
    reasons: [because('requirement_unknown', { place: '/against' })],
  })
}

const problemAt = (error: unknown, place: string): unknown =>
  error instanceof RequirementUnreadable
    ? new Problem('requirement_invalid', { reasons: error.reasons.map((reason) => within(reason, place)) })
    : error

const within = (reason: Reason, place: string): Reason => {
  const { place: inner } = reason.values
  const pointer = typeof inner === 'string' && inner !== '/' ? `${place}${inner}` : place
  return atPlace(pointer === '' ? '/' : pointer, reason)
}
