import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Deleted, JsonObject } from '../shapes/common.ts'
import { KeepRequirementRules, RequirementRules } from '../shapes/requirement-rules.ts'
import {
  CertificateCheck,
  CheckCertificate,
  KeptRequirement,
  ListedRequirement,
  RequirementJson,
  RequirementQuery,
} from '../shapes/requirement-checks.ts'

/** In both modes the same. */
const requirements = {
  service: 'certificate-service',
  variant: 'current',
  access: 'bearer',
  company: 'required',
} as const

export const checkCertificate = operation({
  ...requirements,
  id: 'requirements.check',
  method: 'POST',
  path: '/certificates/check',
  summary: 'Check a certificate against a requirement',
  description:
    'Says of each limit and each heat what the certificate prints, what was compared, and whether it is met: pass, fail, missing or unknown. The worst line is the verdict, and what is unknown never passes. Numbers are exact decimals; units are converted by exact factors, or not at all. Records nothing.',
  scope: [{ resource: 'requirements', action: 'check_one' }],
  memberRole: 'clerk',
  body: { kind: 'json', schema: CheckCertificate },
  answer: { kind: 'json', status: 200, schema: CertificateCheck },
  errors: [
    'certificate_invalid',
    'certificate_erased',
    'requirement_invalid',
    'file_too_costly',
    'not_found',
  ],
  limit: { perMinute: limits.checksPerMinute },
  idempotency: 'repeatable',
})

export const keepRequirement = operation({
  ...requirements,
  id: 'requirements.create',
  method: 'POST',
  path: '/requirements',
  summary: 'Keep a requirement',
  description: `A requirement with a name that exists replaces it from now on; the version before stays, and is found by its hash. A company can have ${limits.requirementsPerCompany.inUse} requirements. What they include must exist.`,
  scope: [{ resource: 'requirements', action: 'create_one' }],
  memberRole: 'clerk',
  body: { kind: 'json', schema: RequirementJson },
  answer: { kind: 'json', status: 201, schema: KeptRequirement },
  errors: ['requirement_invalid', 'requirement_limit_reached'],
})

export const listRequirements = operation({
  ...requirements,
  id: 'requirements.list',
  method: 'GET',
  path: '/requirements',
  summary: 'List the requirements of the company',
  description: 'Those in use. With `hash`, the version that has it.',
  scope: [{ resource: 'requirements', action: 'read_many' }],
  query: RequirementQuery,
  answer: { kind: 'json', status: 200, schema: Type.Array(ListedRequirement) },
  list: true,
})

export const readRequirement = operation({
  ...requirements,
  id: 'requirements.read',
  method: 'GET',
  path: '/requirements/{id}',
  summary: 'Read a requirement',
  scope: [{ resource: 'requirements', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: KeptRequirement },
})

export const deleteRequirement = operation({
  ...requirements,
  id: 'requirements.delete',
  method: 'DELETE',
  path: '/requirements/{id}',
  summary: 'Take a requirement out of use',
  description:
    'It is not listed any more, and no check finds it by its name. It stays readable by its id and its hash, because decisions name the hash.',
  scope: [{ resource: 'requirements', action: 'delete_one' }],
  memberRole: 'clerk',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Deleted },
})

export const readRequirementRules = operation({
  ...requirements,
  id: 'requirements.read_rules',
  method: 'GET',
  path: '/requirement-rules',
  summary: 'Read the rules by which a requirement applies',
  scope: [{ resource: 'requirements', action: 'read_many' }],
  answer: { kind: 'json', status: 200, schema: RequirementRules },
})

export const keepRequirementRules = operation({
  ...requirements,
  id: 'requirements.update_rules',
  method: 'PUT',
  path: '/requirement-rules',
  summary: 'Say which requirement applies to which certificates',
  description:
    'Replaces all rules. They count if nobody chose a requirement and the order line names none. A rule matches if all of its texts do: case and spaces do not matter, and `*` stands for any characters. If the matching rules of the highest priority name several requirements, or none matches, the certificate is not checked, and says so. Open entries of the desk are answered again.',
  scope: [{ resource: 'requirements', action: 'create_one' }],
  memberRole: 'clerk',
  body: { kind: 'json', schema: KeepRequirementRules },
  answer: { kind: 'json', status: 200, schema: RequirementRules },
})

export const readRequirementSchema = operation({
  service: 'certificate-service',
  variant: 'current',
  id: 'requirements.read_schema',
  method: 'GET',
  path: '/schemas/requirement-1.schema.json',
  summary: 'Read the JSON Schema of requirements',
  access: 'public',
  answer: { kind: 'json', status: 200, schema: JsonObject },
  cors: 'any',
})
