import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt } from '../../certificate/shown.ts'
import type { Block } from '../../model/document.ts'
import { field, fieldsBlock, table } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { quantityColumn } from '../../mapping/quantities.ts'
import { named } from '../../mapping/transaction-fields.ts'

export const heatTreatmentBlocks = (mapping: Mapping, value: JsonValue | undefined): readonly Block[] => [
  ...fieldsBlock(
    named(mapping, value, [
      'Process',
      'HeatTreatmentLot',
      'ChargeNumber',
      'FurnaceId',
      'ProcessDate',
      'ProcessStartTime',
      'ProcessEndTime',
      'EquipmentCertification',
      'Operator',
    ]),
  ),
  ...stageTable(mapping, listAt(value, 'Stages')),
  ...loading(mapping, at(value, 'ProcessBundling')),
  ...checkTable(mapping, listAt(value, 'QualityChecks')),
]

const stageTable = (mapping: Mapping, stages: readonly JsonValue[]): readonly Block[] => {
  const of = (name: string) => stages.map((stage) => textAt(stage, name))
  const withUnit = (name: string) =>
    quantityColumn(
      mapping.label(name),
      stages.map((stage) => ({ value: textAt(stage, name), unit: unitText(textAt(stage, `${name}Unit`)) })),
    )
  return table([
    { label: mapping.label('StageType'), cells: of('StageType') },
    withUnit('Temperature'),
    { label: mapping.label('TemperatureTolerance'), cells: of('TemperatureTolerance') },
    withUnit('Duration'),
    { label: mapping.label('HeatingRate'), cells: of('HeatingRate') },
    { label: mapping.label('CoolingRate'), cells: of('CoolingRate') },
    { label: mapping.label('CoolingMedium'), cells: of('CoolingMedium') },
    { label: mapping.label('AtmosphereType'), cells: of('AtmosphereType') },
    withUnit('AtmospherePressure'),
  ])
}

/** Degrees have a sign, kelvins have none. */
const unitText = (unit: string | undefined): string | undefined =>
  unit === 'C' || unit === 'F' ? `°${unit}` : unit

const loading = (mapping: Mapping, value: JsonValue | undefined): readonly Block[] => {
  const unit = textAt(value, 'WeightUnit')
  const weight = (name: string) => field(mapping.label(name), textAt(value, name), { unit })
  return fieldsBlock([
    ...named(mapping, value, ['ItemsPerCharge', 'ArrangementPattern', 'SeparatorType', 'LoadConfiguration']),
    ...weight('MaxLoadWeight'),
    ...weight('ActualLoadWeight'),
  ])
}

const checkTable = (mapping: Mapping, checks: readonly JsonValue[]): readonly Block[] =>
  table(
    ['CheckType', 'Method', 'Result', 'Timestamp'].map((name) => ({
      label: mapping.label(name),
      cells: checks.map((check) => textAt(check, name)),
    })),
    { caption: mapping.label('QualityChecks') },
  )
