import { availableParallelism } from 'node:os'
import { processRoles, type Service, services } from '@millseal/contract/vocabulary'
import { setting, someOf } from './setting-values.ts'

const shortServices = services.map((service) => service.replace('-service', ''))

export const processSettings = {
  services: setting({
    name: 'MILLSEAL_SERVICES',
    about: `Services this process serves, separated by commas: ${shortServices.join(', ')}.`,
    fallback: shortServices.join(','),
    read: (value): readonly Service[] =>
      someOf(shortServices)(value).map((short) => `${short}-service` as Service),
  }),
  roles: setting({
    name: 'MILLSEAL_ROLES',
    about:
      'What this process does: api answers HTTP, worker runs background jobs, broker serves MQTT (only one process does so at a time).',
    fallback: processRoles.join(','),
    read: someOf(processRoles),
  }),
  processes: setting({
    name: 'MILLSEAL_PROCESSES',
    about:
      'Number of processes that share the port, the database and the data folder, so that one server uses several cores; auto: see docs/operating.md.',
    fallback: 'auto',
    read: (value): number | undefined => {
      if (value === 'auto') return undefined
      const number = Number(value)
      if (!/^\d+$/.test(value) || number < 1 || number > 32)
        throw new Error('a whole number from 1 to 32, or auto')
      return number
    },
  }),
}

/** A further process is worth its memory from four cores on: PostgreSQL and rendering use cores too. */
export const processesOf = ({
  processes,
  databaseUrl,
  nodeLogs,
}: {
  readonly processes: number | undefined
  readonly databaseUrl: string | undefined
  readonly nodeLogs: string | undefined
}): number => {
  if (processes !== undefined) return processes
  if (databaseUrl !== undefined || nodeLogs !== undefined) return 1
  return Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)))
}
