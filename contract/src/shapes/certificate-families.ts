import { type Static, Type } from 'typebox'
import { output } from './common.ts'

const Words = Type.Object({ en: Type.String(), de: Type.String() })

const SchemaType = output('SchemaTypeDto', {
  type: Type.String({ description: 'As in `GET /certificates/schemas`', examples: ['coa-schemas'] }),
  title: Words,
  description: Words,
})

const MovableSection = output('MovableSectionDto', {
  name: Type.String({ description: 'As in the `sections` of a look' }),
  title: Words,
})

export const CertificateFamily = output('CertificateFamilyDto', {
  name: Type.String({ description: 'As in the list of certificates', examples: ['coa'] }),
  title: Words,
  types: Type.Array(SchemaType, { description: 'The types of its schemas' }),
  sections: Type.Array(MovableSection, {
    description: 'The sections that a look may move, in their usual order',
  }),
})
export type CertificateFamily = Static<typeof CertificateFamily>
