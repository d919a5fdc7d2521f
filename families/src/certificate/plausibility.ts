import { recogniseFamily } from '../families/index.ts'
import type { Finding } from '../validate/finding.ts'
import type { Certificate } from './read-certificate.ts'

/** What a quality manager would ask about. Never a reason to reject: a certificate may be right and still unusual. */
export const plausibility = ({ json }: Certificate): readonly Finding[] => {
  const family = recogniseFamily(json)
  if (family === undefined) return []
  const open = family.questions.filter(({ isAnswered }) => !isAnswered(json))
  return open.map(({ pointer, reason }) => ({ pointer, reason }))
}
