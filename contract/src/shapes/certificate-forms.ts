import { type Static, Type } from 'typebox'
import { CheckedBy } from './certificate-checks.ts'
import { JsonObject, output } from './common.ts'

const Label = Type.Unsafe<Record<string, string>>({
  title: 'FormLabelDto',
  description:
    'Language (two letters, lower case) → name, as on paper. `code` is the number of the field in the standard: A01',
  type: 'object',
  additionalProperties: { type: 'string' },
})

const Pointer = Type.String({
  description:
    'JSON pointer into a certificate, for the field or all fields below it in the order of the schema. `*` is an element of an array, or a name that a pattern of the schema allows',
  examples: ['/Certificate/Inspection/*/ChemicalComposition'],
})

const FormGroup = output('FormGroupDto', {
  name: Type.Optional(
    Type.String({ description: 'The same in all languages; missing for the head of the paper' }),
  ),
  label: Type.Optional(Label),
  fields: Type.Array(Pointer, { description: 'In the order of the paper' }),
})

export const CertificateForm = output('CertificateFormDto', {
  checkedBy: CheckedBy,
  schema: JsonObject,
  labels: Type.Unsafe<Record<string, Record<string, string>>>({
    description:
      'Place in the certificate → its label. A place is the last two names of its pointer, `Order/Id`; positions, and names that a pattern allows, do not count. One name, `/RefSchemaUrl`, at the top',
    type: 'object',
    additionalProperties: Label,
  }),
  groups: Type.Array(FormGroup, {
    description: 'The sections of the paper in their order, each with the fields that it shows',
  }),
  parties: Type.Array(Pointer, {
    description:
      'The groups that describe the companies that receive a certificate, or may: an element of a list says its role',
  }),
  template: Type.Unsafe<Record<string, unknown>>({
    description: 'An empty certificate',
    type: 'object',
    required: ['RefSchemaUrl'],
    properties: { RefSchemaUrl: { type: 'string' } },
    additionalProperties: true,
  }),
})
export type CertificateForm = Static<typeof CertificateForm>
