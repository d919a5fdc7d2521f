import { type DerValue, tags } from './der.ts'
import { StampRefused } from './stamp-refused.ts'

/** A point in time, exact to the microsecond. */
export type Instant = { readonly ms: number; readonly micros: number }

const generalized = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{0,5}[1-9]))?Z$/

/** DER, RFC 3161 §2.4.2: in UTC, with seconds, and with a fraction that does not end in zero. */
export const readGeneralizedTime = ({ tag, content }: DerValue): Instant => {
  const text = tag === tags.generalizedTime ? String.fromCharCode(...content) : ''
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = ''] =
    generalized.exec(text) ?? []
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const whole = new Date(`${written}Z`)
  // Date moves 30 February into March.
  if (Number.isNaN(whole.getTime()) || whole.toISOString() !== `${written}.000Z`)
    throw new StampRefused('The time stamp has an unusable time')
  const micros = Number(fraction.padEnd(6, '0'))
  return { ms: whole.getTime() + Math.floor(micros / 1_000), micros: micros % 1_000 }
}

/** RFC 5280 §4.1.2.5, in milliseconds. */
export const readValidityTime = ({ tag, content, bytes, parts }: DerValue): number => {
  if (tag === tags.generalizedTime) return readGeneralizedTime({ tag, content, bytes, parts }).ms
  const text = tag === tags.utcTime ? String.fromCharCode(...content) : ''
  const century = Number(text.slice(0, 2)) >= 50 ? '19' : '20'
  const whole = Uint8Array.from(`${century}${text}`, (letter) => letter.charCodeAt(0))
  return readGeneralizedTime({ tag: tags.generalizedTime, content: whole, bytes, parts }).ms
}
