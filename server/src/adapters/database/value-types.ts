import { type CustomTypesConfig, types } from 'pg'

const INT8 = 20
const DATE = 1082
const TIMESTAMP_WITHOUT_ZONE = 1114

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`bigint ${text} is beyond what a number holds exactly`)
  return value
}

const asText = (text: string): string => text

/**
 * Maps values to JavaScript: bigint to a number (a value beyond 2^53 fails the statement), numeric to text, bytea to a Buffer,
 * timestamptz to a Date, jsonb parsed. Dates and timestamps without zone stay text: a Date would shift them by the local zone.
 */
export const valueTypes: CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (format !== 'binary') {
      if (oid === INT8) return parseInt8
      if (oid === DATE || oid === TIMESTAMP_WITHOUT_ZONE) return asText
    }
    return types.getTypeParser(oid, format)
  },
}
