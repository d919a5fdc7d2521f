import type { JsonValue } from '@millseal/proof'
import { at, textAt } from '../../certificate/shown.ts'
import { type ColumnDraft, field, fieldsBlock, headed, joinText, table } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { type Quantity, quantityColumn, quantityField } from '../../mapping/quantities.ts'
import { named } from '../../mapping/transaction-fields.ts'
import type { Block } from '../../model/document.ts'
import { speciesOf } from './questions.ts'

const measured = ['Volume', 'NetWeight', 'SupplementaryUnit'] as const

export const productBlocks = (mapping: Mapping, product: JsonValue): readonly Block[] => {
  const title = textAt(product, 'ProductType') ?? textAt(product, 'Name')
  const customs = at(product, 'CustomsClassification')
  return headed(title === undefined ? mapping.label('Product') : [title], [
    ...fieldsBlock([
      ...named(mapping, product, ['DescriptionOfProduct', 'HSCode', 'HTSCode']),
      ...named(mapping, customs, ['HTS', 'CN', 'TARIC']),
      ...field(mapping.label('ProductionPeriod'), periodText(at(product, 'ProductionPeriod'))),
      ...measured.flatMap((name) =>
        quantityField(mapping.label(name), quantityAt(at(product, 'Measurements', name))),
      ),
      ...deviation(mapping, at(product, 'Measurements')),
    ]),
    ...speciesTable(mapping, speciesOf(product)),
  ])
}

/** `2024-09-01 – 2026-08-31`. */
export const periodText = (period: JsonValue | undefined): string | undefined =>
  joinText([textAt(period, 'StartDate'), textAt(period, 'EndDate')], ' – ')

const deviation = (mapping: Mapping, measurements: JsonValue | undefined) =>
  field(
    mapping.label('PercentageEstimationOrDeviation'),
    textAt(measurements, 'PercentageEstimationOrDeviation'),
    {
      unit: '%',
    },
  )

const quantityAt = (value: JsonValue | undefined): Quantity => ({
  value: textAt(value, 'Value'),
  unit: joinText(
    [...new Set(['Unit', 'DisplayUnit', 'Qualifier'].map((name) => textAt(value, name)))],
    ' · ',
  ),
})

const speciesTable = (mapping: Mapping, species: readonly JsonValue[]): readonly Block[] => {
  const measurement = (name: string) => species.map((one) => quantityAt(at(one, 'Measurements', name)))
  const columns: readonly ColumnDraft[] = [
    { label: mapping.label('CommonName'), cells: species.map((one) => textAt(one, 'CommonName')) },
    {
      label: mapping.label('ScientificName'),
      cells: species.map((one) =>
        joinText([textAt(one, 'ScientificName', 'Genus'), textAt(one, 'ScientificName', 'Species')]),
      ),
    },
    ...measured.map((name) => quantityColumn(mapping.label(name), measurement(name))),
    quantityColumn(
      mapping.label('Quantity'),
      species.map((one) => ({ value: textAt(one, 'Quantity'), unit: textAt(one, 'QuantityUnit') })),
    ),
    {
      label: mapping.label('PercentageEstimationOrDeviation'),
      unit: '%',
      cells: species.map((one) => textAt(one, 'Measurements', 'PercentageEstimationOrDeviation')),
    },
  ]
  return table(columns, { caption: mapping.label('ListOfSpecies') })
}
