import type { InstallationStatus, LogStatus } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../texts/catalog.ts'
import { type Formats, useFormats } from '../../texts/format.ts'
import type { Texts } from '../../texts/languages.ts'
import { companyNameQuery } from './queries.ts'

export type PartName = keyof Texts['health']['names']
type Part = Pick<LogStatus, 'state' | 'says'>
type Words = Texts['health']

/** Due work older than this waits for a process that can run it. */
const longSeconds = 600

/** Broken parts come first. */
const order = { down: 0, degraded: 1, ok: 2 } as const

export const partsOf = (status: InstallationStatus): readonly { name: PartName; part: Part }[] => {
  const { database, jobs, mails, webhooks, vatRegister, logs } = status
  const parts: readonly { name: PartName; part: Part }[] = [
    { name: 'database', part: database },
    { name: 'jobs', part: jobs },
    ...logs.map((part) => ({ name: part.mode, part })),
    { name: 'mails', part: mails },
    { name: 'webhooks', part: webhooks },
    { name: 'vatRegister', part: vatRegister },
  ]
  return parts.toSorted((one, other) => order[one.part.state] - order[other.part.state])
}

/** Sentences about a part in the language of the person, then the words of the server if it adds a cause. */
export const usePartSentences = () => {
  const t = useTexts('health')
  const formats = useFormats()
  const [company, name] = useFailingCompany()
  return (status: InstallationStatus, part: PartName): readonly string[] => {
    const failing = status.webhooks.newest?.company === company ? name : undefined
    return [...own[part]({ status, t, formats, failing }), ...cause(status, part, t)]
  }
}

const useFailingCompany = (): readonly [string | undefined, string | undefined] => {
  const { data } = useQuery<InstallationStatus>({ queryKey: ['operator', 'status'], enabled: false })
  const company = data?.webhooks.newest?.company
  const named = useQuery({ ...companyNameQuery(company ?? ''), enabled: company !== undefined })
  return [company, named.data]
}

type Given = {
  readonly status: InstallationStatus
  readonly t: Words
  readonly formats: Formats
  /** The name of the company whose webhook fails. */
  readonly failing: string | undefined
}

const log =
  (mode: LogStatus['mode']) =>
  ({ status, t, formats: { number, time } }: Given): readonly string[] => {
    const { entries, checkpointAt } = status.logs.find((one) => one.mode === mode) ?? {}
    if (entries === undefined) return []
    if (entries === 0) return [t.emptyLog]
    return [t.log(number(entries), checkpointAt === undefined ? undefined : time(checkpointAt))]
  }

const own: Readonly<Record<PartName, (given: Given) => readonly string[]>> = {
  database: ({ status, t }) => (status.database.state === 'ok' ? [t.database(status.database.version)] : []),
  jobs: ({ status: { jobs }, t, formats: { number } }) =>
    jobs.waiting === undefined
      ? []
      : [
          t.jobs(number(jobs.waiting), number(jobs.failed ?? 0)),
          ...(jobs.overdueSeconds === undefined || jobs.overdueSeconds <= longSeconds
            ? []
            : [t.overdue(number(Math.floor(jobs.overdueSeconds / 60)))]),
        ],
  test: log('test'),
  live: log('live'),
  mails: ({ status: { mails }, t, formats: { number } }) => [
    t.transports[mails.transport],
    ...(mails.waiting === undefined ? [] : [t.mails(number(mails.waiting), number(mails.failed ?? 0))]),
  ],
  webhooks: ({ status: { webhooks }, t, formats: { time }, failing }) => {
    const { newest, failing: count } = webhooks
    if (count === undefined) return []
    if (count === 0 || newest === undefined) return [t.noFailing]
    return [t.failing(count, newest.host, time(newest.since)), ...(failing === undefined ? [] : [failing])]
  },
  vatRegister: ({ status: { vatRegister }, t, formats: { time } }) => {
    const { state, lookedUp, askedAt } = vatRegister
    if (!lookedUp) return [t.vatOff]
    if (askedAt === undefined) return [t.vatSilent]
    return [...(state === 'ok' ? [] : [t.vatDown]), t.vatAsked(time(askedAt))]
  },
}

export type PartState = LogStatus['state'] | 'off' | 'unasked'

/** An unused part is not known to work. */
export const stateOf = ({ vatRegister }: InstallationStatus, name: PartName, part: Part): PartState => {
  if (name !== 'vatRegister') return part.state
  if (!vatRegister.lookedUp) return 'off'
  return vatRegister.askedAt === undefined ? 'unasked' : vatRegister.state
}

/** The server adds a cause where the numbers are not enough. */
const cause = (status: InstallationStatus, name: PartName, t: Words): readonly string[] => {
  const part = partsOf(status).find((one) => one.name === name)?.part
  if (part === undefined || part.state === 'ok') return []
  if (part.says.startsWith('No answer within')) return [t.late]
  const isSaid =
    part.state === 'degraded' &&
    ((name === 'jobs' && status.jobs.failed !== undefined) ||
      name === 'vatRegister' ||
      (name === 'webhooks' && status.webhooks.failing !== undefined) ||
      (name === 'mails' && (status.mails.failed ?? 0) > 0))
  return isSaid ? [] : [part.says]
}
