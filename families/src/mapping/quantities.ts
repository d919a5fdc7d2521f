import type { Field, Text } from '../model/document.ts'
import { type ColumnDraft, field, joinText, sharedUnit } from './blocks.ts'

/** A value with its unit. */
export type Quantity = { readonly value: string | undefined; readonly unit: string | undefined }

export const quantityField = (label: Text, { value, unit }: Quantity): readonly Field[] =>
  field(label, value, { unit })

/** The unit is in the head of the column if all values have the same, else beside each value. */
export const quantityColumn = (label: Text, quantities: readonly Quantity[]): ColumnDraft => {
  const unit = sharedUnit(quantities.filter(({ value }) => value !== undefined).map((one) => one.unit))
  return {
    label,
    unit,
    cells: quantities.map((one) =>
      one.value === undefined ? undefined : joinText([one.value, unit === undefined ? one.unit : undefined]),
    ),
  }
}
