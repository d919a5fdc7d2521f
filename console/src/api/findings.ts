import type { GivenReason } from '@millseal/contract/reason-words'

/** A fault that the server found at a place of a certificate. The reason follows the place in a sentence. */
export type Finding = {
  readonly pointer: string
  readonly reason: string
  readonly label?: string
  readonly because?: GivenReason
}

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
