import { operation } from '../operation.ts'
import { Health, Readiness } from '../shapes/platform.ts'

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
  summary: 'Whether the service is alive',
  answer: { kind: 'json', status: 200, schema: Health },
})

export const readReadiness = operation({
  ...probe,
  id: 'health.read_readiness',
  path: '/ready',
  summary: 'Whether the service can work',
  description: 'Each part it depends on by name; 503 while one is missing.',
  answer: { kind: 'json', status: 200, schema: Readiness },
})
