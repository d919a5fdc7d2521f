import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { oneOf } from '../shapes/common.ts'
import { Health, Readiness } from '../shapes/platform.ts'
import { processRoles } from '../vocabulary.ts'

const probe = {
  service: 'every-service',
  variant: 'both',
  method: 'GET',
  access: 'public',
  limit: { perMinute: 'unlimited' },
  cors: 'any',
} as const

export const readHealth = operation({
  ...probe,
  id: 'health.read',
  path: '/health',
  summary: 'Check whether the service is alive',
  answer: { kind: 'json', status: 200, schema: Health },
})

export const readReadiness = operation({
  ...probe,
  id: 'health.read_readiness',
  path: '/ready',
  summary: 'Check whether the service is ready',
  description:
    'Says whether the roles of this process can do their work, and lists what they depend on. The status is 503 while one that the role needs is not available; what has a durable queue is only degraded.',
  query: Type.Object({
    role: Type.Optional(
      oneOf(processRoles, {
        description:
          'Answer for this role alone. Without it, for api; in a process without api, for all its roles',
      }),
    ),
    writes: Type.Optional(
      Type.Boolean({ default: false, description: 'Answer 503 also while the role can only read' }),
    ),
  }),
  answer: { kind: 'json', status: 200, schema: Readiness },
})
