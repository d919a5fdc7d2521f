import type { GivenReason } from '@millseal/contract/reason-words'

/** A fault that the server found at a place of a certificate. The reason follows the place in a sentence. */
export type Finding = {
  readonly pointer: string
  readonly reason: string
  readonly label?: string
  readonly because?: GivenReason
}

/** Doubts about a valid certificate: unusual statements, and what does not fit together. */
export type Doubts = { readonly warnings: readonly Finding[]; readonly findings: readonly Finding[] }

/** Those of the report of a validation, whose warnings repeat its findings. */
export const doubtsIn = (report: object): Doubts => {
  const findings = listIn(report, 'findings')
  const known = new Set(findings.map(keyOf))
  return { findings, warnings: listIn(report, 'warnings').filter((warning) => !known.has(keyOf(warning))) }
}

/** The addresses of the receivers that the report of a validation names. */
export const addressesIn = (report: object): readonly string[] | undefined =>
  'addresses' in report && Array.isArray(report.addresses)
    ? (report.addresses as readonly string[])
    : undefined

const listIn = (report: object, name: string): readonly Finding[] => {
  const list: unknown = Object.entries(report).find(([key]) => key === name)?.[1]
  return Array.isArray(list) ? (list as readonly Finding[]) : []
}

const keyOf = ({ pointer, reason }: Finding): string => `${pointer} ${reason}`

/** Each of the details with its place. */
export const findingsIn = ({
  details,
  reasons = [],
}: {
  readonly details: readonly string[]
  readonly reasons?: readonly GivenReason[]
}): readonly Finding[] =>
  details.map((detail, at) => {
    const because = reasons[at]
    if (because === undefined) return { pointer: '', reason: detail }
    const { place, label } = because.values
    const after = typeof label === 'string' ? `(${label})` : ''
    return {
      pointer: typeof place === 'string' && place.startsWith('/') && place !== '/' ? place : '',
      reason: between(detail, typeof place === 'string' ? place : '', after),
      because,
      label: typeof label === 'string' ? label : undefined,
    }
  })

const between = (detail: string, before: string, after: string): string =>
  detail.slice(before.length, after === '' ? undefined : -after.length).trim()
