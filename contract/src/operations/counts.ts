import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { CompanyCounts } from '../shapes/counts.ts'

export const readCounts = operation({
  service: 'user-service',
  variant: 'current',
  access: 'user',
  company: 'required',
  mode: 'query',
  id: 'counts.read',
  method: 'GET',
  path: '/counts',
  summary: 'Count what a company has, for the navigation of a console',
  description: 'Reads indexes only, so a console can ask every minute.',
  action: { resource: 'companies', action: 'read_one' },
  query: Type.Object({
    receivedSince: Type.Optional(
      Type.String({
        format: 'date-time',
        ...limits.timestamp,
        description: 'Count the certificates that were received since, for example since the last look',
      }),
    ),
  }),
  answer: { kind: 'json', status: 200, schema: CompanyCounts },
})
