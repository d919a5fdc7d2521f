import { operation } from '../operation.ts'
import { InstallationStatus } from '../shapes/status.ts'

export const readStatus = operation({
  service: 'user-service',
  variant: 'current',
  access: 'user',
  admin: true,
  id: 'status.read',
  method: 'GET',
  path: '/status',
  summary: 'Read the status of the installation',
  description:
    'Every part has a state and a sentence. A part that is down does not make the answer fail. Without the database nobody can be authenticated: then use `/ready`.',
  answer: { kind: 'json', status: 200, schema: InstallationStatus },
  limit: { perMinute: 60 },
})
