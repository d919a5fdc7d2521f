import type { JsonValue } from '@millseal/proof'
import { at, entriesAt, listAt, textAt } from '../../certificate/shown.ts'
import type { Block, Field } from '../../model/document.ts'
import { field, fieldsBlock, joinText, table, unitColumn } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { named } from '../../mapping/transaction-fields.ts'

export const productBlocks = (mapping: Mapping, product: JsonValue | undefined): readonly Block[] => [
  ...fieldsBlock([
    ...field(mapping.label('Product'), textAt(product, 'Name')),
    ...field(mapping.label('MaterialDesignations'), designations(product)),
    ...field(mapping.label('ProductNorms'), standards(product, 'ProductNorms')),
    ...field(mapping.label('MaterialNorms'), standards(product, 'MaterialNorms')),
    ...named(mapping, product, ['SupplementaryStandards', 'BatchId', 'ToolingId', 'HeatTreatment']),
    ...field(
      mapping.label('DeliveryCondition'),
      joined(product, 'DeliveryCondition', ['Code', 'Description', 'Standard']),
    ),
    ...shape(mapping, at(product, 'Shape')),
    ...field(mapping.label('Quantity'), textAt(product, 'Quantity')),
    ...field(mapping.label('Weight'), textAt(product, 'Weight'), { unit: textAt(product, 'WeightUnit') }),
    ...named(mapping, product, [
      'SurfaceCondition',
      'Marking',
      'ProductionDate',
      'ManufacturingLocation',
      'CountryOfOrigin',
    ]),
    ...named(mapping, at(product, 'PackagingAndMarking'), [
      'Marking',
      'Packaging',
      'Coloring',
      'SpecialInstructions',
    ]),
    ...customs(mapping, at(product, 'CustomsClassification')),
    ...field(
      mapping.label('SpecificationReference'),
      joined(product, 'SpecificationReference', [
        'Name',
        'Revision',
        'RevisionDate',
        'Creator',
        'BaseStandard',
      ]),
    ),
  ]),
  ...toleranceBlocks(mapping, at(product, 'DimensionalTolerances')),
]

const joined = (value: JsonValue | undefined, name: string, parts: readonly string[]): string | undefined =>
  joinText(
    parts.map((part) => textAt(value, name, part)),
    ' · ',
  )

const designations = (product: JsonValue | undefined): string | undefined =>
  joinText(
    listAt(product, 'MaterialDesignations').map((designation) =>
      joinText(
        [
          ...['Name', 'Number'].map((part) => designationText(at(designation, part))),
          designationText(designation),
        ],
        ' / ',
      ),
    ),
    ', ',
  )

const designationText = (value: JsonValue | undefined): string | undefined => {
  const system = textAt(value, 'System')
  const name = textAt(value, 'Value') ?? textAt(value, 'Designation')
  return joinText([name, system === undefined ? undefined : `(${system})`])
}

const standards = (product: JsonValue | undefined, name: string): string | undefined =>
  joinText(
    listAt(product, name).map((norm) => {
      const standard = textAt(norm, 'Standard') ?? textAt(norm, 'Designation')
      const dated = joinText([standard, textAt(norm, 'Year')], ':')
      return joinText([dated, textAt(norm, 'Grade'), textAt(norm, 'ToleranceClass')])
    }),
    ', ',
  )

const shape = (mapping: Mapping, value: JsonValue | undefined): readonly Field[] => {
  const form = textAt(value, 'Form')
  const unit = textAt(value, 'Unit')
  const apart = new Set(['Form', 'Unit', 'MassPerLength', 'MassPerLengthUnit', 'OtherDimensions'])
  return [
    ...(form === undefined ? [] : field(mapping.label('Form'), mapping.label(form).join(' / '))),
    ...entriesAt(value)
      .filter(([name]) => !apart.has(name))
      .flatMap(([name, size]) =>
        field(mapping.label(name), textAt(size), {
          unit: name === 'Area' && unit !== undefined ? `${unit}²` : unit,
        }),
      ),
    ...entriesAt(value, 'OtherDimensions').flatMap(([name, size]) =>
      field(mapping.label(name), textAt(size), { unit }),
    ),
    ...field(mapping.label('MassPerLength'), textAt(value, 'MassPerLength'), {
      unit: textAt(value, 'MassPerLengthUnit'),
    }),
  ]
}

const customs = (mapping: Mapping, value: JsonValue | undefined): readonly Field[] => [
  ...field(
    mapping.label('HSCode'),
    joinText([textAt(value, 'HSCode'), textAt(value, 'StandardDescription')], ' · '),
  ),
  ...listAt(value, 'RegionalCodes').flatMap((code) =>
    field(
      [joinText([textAt(code, 'System'), textAt(code, 'Region')]) ?? '–'],
      joinText([textAt(code, 'Code'), textAt(code, 'Description')], ' · '),
    ),
  ),
]

const toleranceBlocks = (mapping: Mapping, value: JsonValue | undefined): readonly Block[] => {
  const rows = entriesAt(value, 'Tolerances').flatMap(([name, tolerance]) => [
    { name, tolerance, range: undefined as JsonValue | undefined },
    ...listAt(tolerance, 'Ranges').map((range) => ({
      name,
      tolerance,
      range: range as JsonValue | undefined,
    })),
  ])
  const shown = rows.filter(({ tolerance, range }) => range !== undefined || hasOwnLimits(tolerance))
  const of = (name: string) =>
    shown.map(({ tolerance, range }) => (range === undefined ? textAt(tolerance, name) : textAt(range, name)))
  const { columns, unit } = unitColumn(
    mapping.label('Unit'),
    shown.map(({ tolerance }) => textAt(tolerance, 'Unit')),
  )
  return [
    ...fieldsBlock(
      named(mapping, value, [
        'Standard',
        'ThicknessClass',
        'FlatnessClass',
        'SteelType',
        'EdgeCondition',
        'LimitedCamberAndSquareness',
      ]),
    ),
    ...table(
      [
        {
          label: mapping.label('Dimension'),
          cells: shown.map(({ name }) => mapping.label(name).join(' / ')),
        },
        {
          label: mapping.label('AppliesTo'),
          cells: shown.map(({ range }) =>
            joinText([textAt(range, 'AppliesToMin'), textAt(range, 'AppliesToMax')], ' – '),
          ),
        },
        { label: mapping.label('LowerDeviation'), unit, cells: of('LowerDeviation') },
        { label: mapping.label('UpperDeviation'), unit, cells: of('UpperDeviation') },
        ...columns,
        { label: mapping.label('ToleranceClass'), cells: of('ToleranceClass') },
        { label: mapping.label('OutOfRoundnessMax'), cells: of('OutOfRoundnessMax') },
        { label: mapping.label('Standard'), cells: of('Standard') },
      ],
      { caption: mapping.label('DimensionalTolerances') },
    ),
  ]
}

const hasOwnLimits = (tolerance: JsonValue): boolean =>
  ['UpperDeviation', 'ToleranceClass', 'OutOfRoundnessMax'].some(
    (name) => textAt(tolerance, name) !== undefined,
  )
