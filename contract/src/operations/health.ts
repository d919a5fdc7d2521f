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
  summary: 'Check whether the service is alive',
  answer: { kind: 'json', status: 200, schema: Health },
})

export const readReadiness = operation({
  ...probe,
  id: 'health.read_readiness',
  path: '/ready',
  summary: 'Check whether the service is ready',
  description: 'Lists every dependency. The status is 503 while one is not available.',
  answer: { kind: 'json', status: 200, schema: Readiness },
})
