import type { RequirementColumn } from '@millseal/contract/requirement-table'
import type { GivenReason } from '@millseal/contract/reason-words'
import { ApiError } from '../../api/client.ts'

/** Where something is wrong: in a row of the table, or elsewhere. */
export type Fault = {
  readonly because: GivenReason
  /** The words of the server, in English and without the place. */
  readonly detail: string
  readonly row: number | undefined
  readonly column: RequirementColumn | undefined
  /** The place outside of the table, as a JSON pointer. */
  readonly pointer: string
}

const columnOf: Readonly<Record<string, RequirementColumn>> = {
  of: 'of',
  min: 'min',
  max: 'max',
  unit: 'unit',
  at: 'at',
  'when/thickness/above': 'thickness_above',
  'when/thickness/upTo': 'thickness_up_to',
}

/** The faults of a requirement whose first rules are the rows; undefined if the error is another one. */
export const faultsOf = (error: unknown, rows: number): readonly Fault[] | undefined => {
  const { code, answer } = error instanceof ApiError ? error : {}
  const reasons = code === 'requirement_invalid' ? answer?.reasons : undefined
  return reasons?.map((because, at) => {
    const { place } = because.values
    const pointer = typeof place === 'string' ? place : ''
    const [, rule, member = ''] = /^\/rules\/(\d+)(?:\/(.+))?$/.exec(pointer) ?? []
    const row = rule !== undefined && Number(rule) < rows ? Number(rule) : undefined
    const column = row === undefined ? undefined : (columnOf[member] ?? 'of')
    // In English the server's own words are shown, which begin with the place.
    const detail = (answer?.details[at] ?? '').replace(`${pointer} `, '')
    return { because, detail, row, column, pointer }
  })
}
