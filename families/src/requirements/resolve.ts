import type { Requirement } from '@millseal/contract/requirements'
import { atPlace, because } from '@millseal/contract/reasons'
import { canonicalJson, type JsonValue } from '@millseal/proof'
import { limits } from '@millseal/contract/limits'
import { hashCanonical } from '../certificate/hash-certificate.ts'
import { RequirementUnreadable } from './requirement-unreadable.ts'

/** A requirement with all that it includes, itself first. */
export type ResolvedRequirement = {
  readonly requirements: readonly Requirement[]
  /** SHA-256 of the canonical JSON of the list, hex: a decision names what it was made with. */
  readonly hash: string
}

/** SHA-256 of the canonical form (RFC 8785), hex. */
export const hashRequirement = (requirement: Requirement): string => hashCanonical(canonicalOf(requirement))

const canonicalOf = (value: Requirement | readonly Requirement[]): string =>
  canonicalJson(JSON.parse(JSON.stringify(value)) as JsonValue)

/** `find` knows the other requirements of the company by name and by hash. */
export const resolveRequirement = async (
  root: Requirement,
  find: (nameOrHash: string) => Promise<Requirement | undefined>,
): Promise<ResolvedRequirement> => {
  const requirements = new Map([[hashRequirement(root), root]])
  const include = async (from: Requirement, path: readonly string[]): Promise<void> => {
    for (const [index, name] of (from.includes ?? []).entries()) {
      const refuse = (reason: ReturnType<typeof because>) =>
        new RequirementUnreadable([atPlace(path.length === 1 ? `/includes/${index}` : '/includes', reason)])
      const found = await find(name)
      if (found === undefined) throw refuse(because('requirement_includes_unknown', { name }))
      const hash = hashRequirement(found)
      if (path.includes(hash)) throw refuse(because('requirement_includes_itself', { name }))
      if (requirements.has(hash)) continue
      if (requirements.size === limits.requirement.parts)
        throw refuse(because('requirement_too_many', { most: limits.requirement.parts }))
      requirements.set(hash, found)
      await include(found, [...path, hash])
    }
  }
  await include(root, [hashRequirement(root)])
  const all = [...requirements.values()]
  return { requirements: all, hash: hashCanonical(canonicalOf(all)) }
}
