import { operation } from '../operation.ts'
import { Broker } from '../shapes/platform.ts'

export const readBroker = operation({
  service: 'pipe-service',
  variant: 'current',
  id: 'broker.read',
  method: 'GET',
  path: '/broker',
  summary: 'How to connect to the event broker',
  description: 'For the caller; for a company of the caller where the header company names one.',
  access: 'bearer',
  company: 'optional',
  answer: { kind: 'json', status: 200, schema: Broker },
})
