import { operation } from '../operation.ts'
import { Broker } from '../shapes/platform.ts'

export const readBroker = operation({
  service: 'pipe-service',
  variant: 'current',
  id: 'broker.read',
  method: 'GET',
  path: '/broker',
  summary: 'Read how to connect to the event broker',
  description: 'The answer is for the caller, or for the company in the header `company`.',
  access: 'bearer',
  company: 'optional',
  answer: { kind: 'json', status: 200, schema: Broker },
})
