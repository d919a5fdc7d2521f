import { emptyRowOf, readTable, type Row, type Table, withoutGaps } from './named-columns.ts'
import type { RequirementRule } from './shapes/requirements.ts'

export { isEmptyRow } from './named-columns.ts'

/** The columns of a table of rules, as the first line of a CSV names them. */
export const requirementColumns = [
  'of',
  'min',
  'max',
  'unit',
  'thickness_above',
  'thickness_up_to',
  'at',
] as const
export type RequirementColumn = (typeof requirementColumns)[number]
export type RequirementRow = Row<RequirementColumn>

export const emptyRow: RequirementRow = emptyRowOf(requirementColumns)

/** Those with numbers. */
export const limitColumns: readonly RequirementColumn[] = ['min', 'max', 'thickness_above', 'thickness_up_to']

const rules: Table<RequirementColumn> = {
  columns: requirementColumns,
  first: 'of',
  decimals: limitColumns,
  headings: {
    of: ['property', 'element', 'symbol', 'name', 'eigenschaft', 'merkmal', 'kennwert'],
    min: ['minimum', 'lower limit', 'mindestwert', 'mindestens', 'untergrenze'],
    max: ['maximum', 'upper limit', 'höchstwert', 'höchstens', 'obergrenze'],
    unit: ['einheit', 'units'],
    thickness_above: ['thickness over', 'dicke über', 'dicke größer'],
    thickness_up_to: ['thickness to', 'dicke bis'],
    at: ['temperature', 'condition', 'bei', 'temperatur', 'prüftemperatur'],
  },
}

export const readRequirementTable = (text: string) => readTable(rules, text)

export const ruleOfRow = (row: RequirementRow): RequirementRule => {
  const given = (column: RequirementColumn): string | undefined => {
    const text = row[column].trim()
    return text === '' ? undefined : text
  }
  const thickness = withoutGaps({ above: given('thickness_above'), upTo: given('thickness_up_to') })
  return withoutGaps({
    of: row.of.trim(),
    min: given('min'),
    max: given('max'),
    unit: given('unit'),
    at: given('at'),
    when: Object.keys(thickness).length === 0 ? undefined : { thickness },
  })
}

/** Undefined if the rule says more than a line of the table can. */
export const rowOfRule = (rule: RequirementRule): RequirementRow | undefined => {
  const { of, min = '', max = '', unit = '', at = '', when = {}, ...more } = rule
  const { thickness = {}, ...others } = when
  if (of === undefined || Object.keys(more).length > 0 || Object.keys(others).length > 0) return undefined
  const { above = '', upTo = '' } = thickness
  return { of, min, max, unit, at, thickness_above: above, thickness_up_to: upTo }
}
